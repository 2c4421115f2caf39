"""Answers found in another way than lowtime finds them, and random questions to ask."""
