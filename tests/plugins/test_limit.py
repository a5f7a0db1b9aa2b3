"""A test that takes long is named while it runs."""

import time

from tests.plugins.limit import LONG, Limit


def test_a_test_that_runs_for_long_is_named_once() -> None:
    limit = Limit.__new__(Limit)
    limit._running, limit._named, limit._finished = {}, set(), 0.0
    limit.pytest_runtest_logstart("slow")
    limit.pytest_runtest_logstart("done")
    limit.pytest_runtest_logfinish("done")
    now = time.monotonic()
    assert limit.waiting(now) == []
    assert limit.waiting(now + LONG + 1) == ["slow"]
    assert limit.waiting(now + LONG + 2) == []
