"""Distributions to start a plugin from."""
