"""``python -m numduel`` is the command ``numduel``."""

from numduel.terminal.app import main

main()
