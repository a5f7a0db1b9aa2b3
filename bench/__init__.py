"""How fast things are, as ratios against a yardstick measured in the same run."""
