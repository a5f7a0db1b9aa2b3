"""How many live games the server holds, and how soon a move is seen, under a paced load."""
