"""What lowtime is measured against, each behind the same protocol, in an environment of its own."""
