"""The games in the browser: a server, and the page it serves."""
