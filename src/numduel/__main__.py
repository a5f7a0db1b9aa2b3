"""The command ``numduel``, also as ``python -m numduel``: alone, on a terminal, it is the app."""

import os
import signal
import sys


def main() -> None:
    """Run the app or a command; Ctrl-C before it has begun ends it silently."""
    if "_NUMDUEL_COMPLETE" in os.environ:  # Ctrl-C at a shell's prompt ends a completion silently
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        _begin()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def _begin() -> None:
    """Run the app, or the command that is given; the app does not wait for what commands need."""
    from numduel.tui import full_screen, run

    if len(sys.argv) == 1 and full_screen():
        run()
    else:
        from numduel.terminal.app import main as command

        command()


if __name__ == "__main__":
    main()
