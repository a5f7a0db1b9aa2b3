"""What every game is made of: states, outcomes, variants, views, and the errors they raise."""
