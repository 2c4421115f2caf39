"""The parts of a report: each measures within a budget and tells what it found."""
