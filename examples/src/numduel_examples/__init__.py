"""Three small games and an activity for numduel, each in one file."""
