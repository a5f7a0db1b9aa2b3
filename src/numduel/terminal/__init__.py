"""The prompt: the games as their rulebooks show them, in a terminal or through a pipe.

`app` is the command line, `play` a game, `activity` any activity, `sitting` one game after another;
`choice` and `picker` ask; a file for each larger command. `screen` reads and writes lines,
`waiting` hears Ctrl-C and says what takes long, `progress` is the one progress bar.
"""
