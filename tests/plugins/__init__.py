"""What the tests add to pytest: what they cost, when a run ends, and what `make proof` runs."""
