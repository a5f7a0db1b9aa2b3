"""What the processes that serve one database tell each other, sealed: whoever can connect to it can
listen there, and send something of their own, but can neither read nor forge what is sealed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import blake2b, shake_256
from hmac import compare_digest
from secrets import token_bytes

NONCE_BYTES, MARK_BYTES = 16, 16


class Envelope:
    """Seals texts with a secret (SHAKE-256 as a stream of bytes, then BLAKE2b with a key), for the
    process that sends them."""

    def __init__(self, secret: str) -> None:
        self._hiding, self._marking = (
            blake2b(f"news between processes: {use}".encode(), key=_key(secret)).digest()
            for use in ("hide", "mark")
        )

    def seal(self, text: bytes, sender: str) -> str:
        """A text as it is sent."""
        nonce = token_bytes(NONCE_BYTES)
        hidden = nonce + self._hidden(nonce, text)
        return b64encode(hidden + self._mark(hidden, sender)).decode()

    def open(self, sealed: str, sender: str) -> bytes:
        """The text that a process has sealed. Raises `ValueError` if it has not."""
        whole = b64decode(sealed)
        hidden, mark = whole[:-MARK_BYTES], whole[-MARK_BYTES:]
        if not compare_digest(mark, self._mark(hidden, sender)):
            raise ValueError("somebody else has written this")
        return self._hidden(hidden[:NONCE_BYTES], hidden[NONCE_BYTES:])

    def _hidden(self, nonce: bytes, text: bytes) -> bytes:
        """Hides a text, or shows it again: each nonce is used once."""
        length = len(text)
        pad = int.from_bytes(shake_256(self._hiding + nonce).digest(length))
        return (int.from_bytes(text) ^ pad).to_bytes(length)

    def _mark(self, hidden: bytes, sender: str) -> bytes:
        whole = sender.encode() + b" " + hidden
        return blake2b(whole, key=self._marking, digest_size=MARK_BYTES).digest()


def _key(secret: str) -> bytes:
    return blake2b(secret.encode()).digest()
