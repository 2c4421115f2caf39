"""Benchmarks: what lowtime claims about speed, one command away, beside what else you could use."""
