"""What the tests in browsers share."""

from tests.page.browser import chromium, executable, guest, new_guest, server

__all__ = ["chromium", "executable", "guest", "new_guest", "server"]
