"""Erasing a person's name; the numbers and the hash chain stay.

The name is erased from its seat or member, and from all other words of the same game or group:
notes and titles keep their other words. The person's bank account is erased too.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.results import side_of
from scorekeeper.domain.history.book import PRIVATE, Event
from scorekeeper.services.clock import now
from scorekeeper.services.writes import change_book
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write

REDACTED = "…"
"""The replacement for a name in a note or title."""
NAMES = ("name.", "member.")


def erase_player(ledger: Ledger, game_id: str, seat: int, write: Write, *, by: str = "pen") -> Game:
    """Erase a player's name in one game; KeyError for a seat that does not exist."""

    def change(transaction: BookTransaction) -> None:
        if not 0 <= seat < transaction.game.sheet.seats:
            raise KeyError(seat)
        erase_seat(transaction, seat, by=by)

    game = change_book(Game, ledger, game_id, ["erased", seat], change, write)
    ledger.cleaning.clean_soon()
    return game


def erase_seat(
    transaction: BookTransaction, seat: int, names: Iterable[str] = (), *, by: str
) -> None:
    """Erase the player at a seat, also under these other names."""
    side = side_of(seat, transaction.game.rules)
    left = erase_fields(transaction, (f"name.{seat}", f"holder.{side}", f"iban.{side}"), names)
    if left:
        transaction.append("erased", {"seat": seat}, at=now(), by=by, texts=left)


def erase_accounts(transaction: BookTransaction, events: Iterable[Event]) -> None:
    """Erase the bank accounts that these events change or erase; a copy of them has no accounts."""
    game, sides = transaction.game, set[int]()
    for event in events:
        if event.kind == "account":
            sides.add(event.payload["side"])
        elif event.kind == "erased" and "seat" in event.payload:
            sides.add(side_of(event.payload["seat"], game.rules))
        elif event.kind == "discarded":
            sides.update(range(game.sheet.sides))
    changed = {f"{prefix}{side}" for prefix in PRIVATE for side in sides}
    if held := changed.intersection(field for _, field, _ in transaction.words()):
        transaction.erase(*held)


def erase_mentions(transaction: BookTransaction, names: Iterable[str], *, by: str) -> None:
    """Erase names from notes and titles of a book in which nobody has them."""
    left = erase_fields(transaction, (), names)
    if left:
        transaction.append("erased", {"fields": sorted(left)}, at=now(), by=by, texts=left)


def erase_fields(
    transaction: BookTransaction, fields: Sequence[str], names: Iterable[str] = ()
) -> dict[str, str]:
    """Erase fields, and the names they held from the book's other words.

    Returns the words that have changed, for the event that follows.
    """
    written, texts = transaction.words(), transaction.book.texts  # read before any change
    borne = {text for _, field, text in written if field in fields and field.startswith(NAMES)}
    without = name_redactor({*names, *borne})
    transaction.erase(*{field for _, field, text in written if field in fields and text})
    for number, field, text in written:
        left = text if field.startswith(NAMES) or field in fields else without(text)
        if left != text:
            transaction.reword(number, field, left)
    new_texts = {
        field: "" if field in fields else text if field.startswith(NAMES) else without(text)
        for field, text in texts.items()
    }
    return {field: left for field, left in new_texts.items() if left != texts[field]}


def name_redactor(names: Iterable[str]) -> Callable[[str], str]:
    """Return a function that redacts names, also ``Annas`` or ``Anna's``, in any case."""
    forms = {form for name in names if name for form in _forms(name)}
    known = "|".join(sorted(forms, key=len, reverse=True))
    if not known:
        return lambda text: text
    pattern = re.compile(rf"(?<!\w)(?:{known})(?:['’]?s)?(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(REDACTED, text)


def fold_case(name: str) -> str:
    """Return a name for comparison: ``Strauß`` as ``strauss``."""
    return unicodedata.normalize("NFC", name).casefold()


def _forms(name: str) -> Iterator[str]:
    """Yield the spellings of a name as patterns; folding case alone would miss some, such as İ."""
    for form in (unicodedata.normalize("NFC", name), fold_case(name)):
        yield re.escape(form).replace("ss", "(?:ss|ß)")
