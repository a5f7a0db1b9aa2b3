"""Two small games for numduel, each in one file."""
