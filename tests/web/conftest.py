"""What the tests of the server share."""

from collections.abc import Iterator

import pytest

from tests.web.site import patient


@pytest.fixture(scope="package", autouse=True)
def _patient() -> Iterator[None]:
    """The servers of a test give nobody up, unless it says so itself."""
    with patient():
        yield
