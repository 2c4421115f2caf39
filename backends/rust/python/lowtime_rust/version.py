"""The version of this distribution."""

__version__ = "1.0.0"
