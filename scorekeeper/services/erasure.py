"""Taking a person's name off the disk; the numbers and the chain stand.

The name goes from its seat or member, and out of whatever else was written in the same
book: notes and titles keep their other words. So does the account of who is erased.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from scorekeeper.domain.game import Game
from scorekeeper.domain.results import side_of
from scorekeeper.services.bookkeeping import now
from scorekeeper.services.games import change_once
from scorekeeper.store.ledger import BookTransaction, Ledger

GONE = "…"
"""What stands where a name stood in a note or title."""
NAMES = ("name.", "member.")


def erase_player(
    ledger: Ledger,
    game_id: str,
    seat: int,
    *,
    expect: int | None,
    key: str | None = None,
    by: str = "pen",
) -> Game:
    """Take a player's name off the disk in one game. KeyError for a seat that is not there."""

    def change(transaction: BookTransaction) -> None:
        if not 0 <= seat < transaction.game.sheet.seats:
            raise KeyError(seat)
        erase_seat(transaction, seat, by=by)

    game = change_once(ledger, game_id, ["erased", seat], change, expect=expect, key=key)
    assert isinstance(game, Game)
    ledger.names.clean_soon()
    return game


def erase_seat(
    transaction: BookTransaction, seat: int, names: Iterable[str] = (), *, by: str
) -> None:
    """Erase who sat there, under these names too; nothing happens if there is nothing left."""
    side = side_of(seat, transaction.game.rules)
    left = wipe(transaction, (f"name.{seat}", f"holder.{side}", f"iban.{side}"), names)
    if left:
        transaction.append("erased", {"seat": seat}, at=now(), by=by, texts=left)


def erase_mentions(transaction: BookTransaction, names: Iterable[str], *, by: str) -> None:
    """Take names out of notes and titles of a book in which nobody bears them."""
    left = wipe(transaction, (), names)
    if left:
        transaction.append("erased", {"fields": sorted(left)}, at=now(), by=by, texts=left)


def wipe(
    transaction: BookTransaction, fields: Sequence[str], names: Iterable[str] = ()
) -> dict[str, str]:
    """Take fields off the disk, and the names they held out of the book's other words.

    Gives the words that are others now; the event that follows says them.
    """
    written = transaction.words()
    said = transaction.book.texts  # as it was: a book may be read from these rows
    borne = {text for _, field, text in written if field in fields and field.startswith(NAMES)}
    without = name_redactor({*names, *borne})
    transaction.erase(*{field for _, field, text in written if field in fields and text})
    for number, field, text in written:
        left = text if field.startswith(NAMES) or field in fields else without(text)
        if left != text:
            transaction.reword(number, field, left)
    now_said = {
        field: "" if field in fields else text if field.startswith(NAMES) else without(text)
        for field, text in said.items()
    }
    return {field: left for field, left in now_said.items() if left != said[field]}


def name_redactor(names: Iterable[str]) -> Callable[[str], str]:
    """What takes names out of a text, also as ``Annas`` and ``Anna's``, whatever their case."""
    forms = {form for name in names if name for form in _forms(name)}
    known = "|".join(sorted(forms, key=len, reverse=True))
    if not known:
        return lambda text: text
    pattern = re.compile(rf"(?<!\w)(?:{known})(?:['’]?s)?(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(GONE, text)


def plain(name: str) -> str:
    """A name as it is compared: ``Strauß`` as ``strauss``."""
    return unicodedata.normalize("NFC", name).casefold()


def _forms(name: str) -> Iterator[str]:
    """How a name may be spelled, as patterns; small letters do not bring back every İ."""
    for form in (unicodedata.normalize("NFC", name), plain(name)):
        yield re.escape(form).replace("ss", "(?:ss|ß)")
