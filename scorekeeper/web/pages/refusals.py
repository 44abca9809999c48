"""Messages about refused input: counted while a page is rendered, in the order of the page.

The first message takes the focus, and the line above the button says how many there are and
leads there. Both work without scripts, by ``autofocus`` and by an anchor.
"""

from flask import g

from scorekeeper.web.pages.blueprint import pages


@pages.app_template_global()
def message_id() -> str:
    """Return the id of the next message on the page."""
    g.messages = messages() + 1
    return f"message-{g.messages}"


@pages.app_template_global()
def messages() -> int:
    """Return how many messages the page shows so far."""
    return int(g.get("messages", 0))


@pages.app_template_global()
def messages_above() -> tuple[str, int]:
    """Return the id of the first message since the last button, and their number."""
    before, g.messages_led_to = g.get("messages_led_to", 0), messages()
    return f"message-{before + 1}", g.messages_led_to - before
