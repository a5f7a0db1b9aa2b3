"""How a public name is deprecated: it works for one minor version more, and warns.

A command or an option tells its user the same by `complain`; a route of the API is declared with
``deprecated=True``.
"""

from __future__ import annotations

import warnings


def deprecated(old: str, new: str, *, gone: str) -> None:
    """Warn the caller of an old name, which calls this, what to use instead and until when."""
    sentence = f"{old} will be gone in numduel {gone}; use {new}."
    warnings.warn(sentence, DeprecationWarning, stacklevel=3)
