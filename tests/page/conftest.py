"""What the tests in browsers share."""

from tests.page.browser import chromium, executable, guest, new_guest, server
from tests.page.event_people import crowd, host

__all__ = ["chromium", "crowd", "executable", "guest", "host", "new_guest", "server"]
