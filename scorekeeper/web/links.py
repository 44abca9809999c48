"""The links that give a right, as addresses and as QR codes."""

from urllib.parse import urlsplit

from flask import current_app, request, url_for

from scorekeeper.store.links import SecretName
from scorekeeper.web import context

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The addresses that only this machine reaches."""


def is_only_here() -> bool:
    """Return whether no other device reaches the address of this request."""
    return urlsplit(request.host_url).hostname in LOOPBACK


def link_url(book_id: str, secret: str) -> str:
    """Return a link with the secret in the fragment, which browsers do not send to servers."""
    return f"{url_for('pages.enter', _external=True)}#{book_id}.{secret}"


def current_link(book_id: str, name: SecretName) -> str | None:
    """Return the current link of a secret; None if there is none, or another key made it."""
    secret = context.ledger().link_secret(book_id, name)
    return link_url(book_id, secret) if secret else None


def public_address() -> str:
    """Return where a friend finds the program, as people write it; empty if nobody has said."""
    address = str(current_app.config["PUBLIC_URL"] or "")
    return address.partition("://")[2].rstrip("/")


def printed_link(game_id: str) -> str | None:
    """Return the link to print on a score sheet: for holders of the pen, once it is switched on.

    A watcher could otherwise keep it and read on after the link to watch was replaced.
    """
    if context.right() != "pen" or is_only_here():
        return None
    return current_link(game_id, "paper")
