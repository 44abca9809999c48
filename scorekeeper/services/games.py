"""Use cases: open a game, record or strike a round, settle the evening.

Plain functions over the ledger and the domain; nothing here knows of HTTP or of paper.
Every change is one event in one transaction, and what is answered is a game at a version.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from scorekeeper.domain import changes
from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.changes import Draft, NewGame, check_players, round_payload
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game import Account, Game, created
from scorekeeper.domain.options import DRAW, RuleSet
from scorekeeper.domain.presets import preset, stake_options
from scorekeeper.domain.record import encode_round
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.domain.sheet import Row
from scorekeeper.services.bookkeeping import follow, now, write
from scorekeeper.store.chain import canonical
from scorekeeper.store.errors import AlreadyExists
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.rights import new_secret


class Stale(Exception):
    """The game was changed by someone else since the version that was seen."""

    def __init__(self, version: int) -> None:
        super().__init__(f"now at version {version}")
        self.version = version


@dataclass(frozen=True)
class Opened:
    """A game just begun and its two secrets, shown this once."""

    game: Game
    pen: str
    watch: str


@dataclass(frozen=True)
class Recorded:
    """A game after a round was written, and that round."""

    game: Game
    row: Row
    repeated: bool = False
    """The same request had been carried out before; nothing was written now."""


@dataclass(frozen=True)
class Change:
    """One entry of a game's history; the rows where it concerns a round."""

    event: Event
    before: Row | None = None
    after: Row | None = None


def new_rules(
    name: str, changes: Mapping[str, object], stake: Mapping[str, object] | None = None
) -> RuleSet:
    """A rule system with house rules and a stake; RuleError E_CONFIG where they clash."""
    return preset(name).override({**changes, **stake_options(stake or {})})


def with_dealer(order: NewGame) -> NewGame:
    """Return the game with its first dealer, drawn by lot if the rules say so."""
    if order.rules.deal.first_dealer != DRAW:
        return order
    return replace(order, drawn=secrets.randbelow(len(order.players)))


# ---- games ---------------------------------------------------------------------------


def open_game(
    ledger: Ledger, order: NewGame, *, key: str | None = None, browser: str | None = None
) -> Opened:
    """Begin a game. The same key from the same browser finds the game it began before.

    The first dealer is drawn here, once, and becomes part of the record. Raises RuleError
    E_CONFIG for a number of players that the rules do not know or a first dealer who is not
    there, and E_FORM for two players of one name.
    """
    check_players(order.rules, order.players)
    order = with_dealer(order)
    game_id, pen, watch = new_id(), new_secret(), new_secret()
    try:
        event = ledger.create(
            game_id,
            at=now(),
            payload=order.payload,
            texts=order.texts,
            pen=pen,
            watch=watch,
            key=key,
            browser=browser,
        )
    except AlreadyExists as known:  # the same press, a moment earlier
        return Opened(ledger.game(known.book_id), "", "")
    return Opened(created(game_id, event), pen, watch)


def new_id() -> str:
    """A book's public name: 50 bits, none of the letters that are misread."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def add_player(
    ledger: Ledger, game_id: str, name: str, *, expect: int | None, key: str | None = None
) -> Game:
    """Let one more sit down, at the end of the row; absent in all rounds so far."""

    def change(transaction: BookTransaction) -> None:
        write(transaction, changes.seat_player(transaction.game, name))

    return _change(ledger, game_id, ["player", name], change, expect=expect, key=key)


def change_details(
    ledger: Ledger,
    game_id: str,
    details: Mapping[str, str],
    *,
    expect: int | None,
    key: str | None = None,
) -> Game:
    """Give the evening another title or place."""
    words = {field: details[field] for field in ("title", "place") if field in details}

    def change(transaction: BookTransaction) -> None:
        write(transaction, changes.describe(words))

    return _change(ledger, game_id, ["details", words], change, expect=expect, key=key)


def end_game(ledger: Ledger, game_id: str, *, expect: int | None, key: str | None = None) -> Game:
    """End the evening by the players' word."""
    return _happens(ledger, game_id, ["ended", {}], changes.end, expect=expect, key=key)


def reopen_game(
    ledger: Ledger, game_id: str, *, expect: int | None, key: str | None = None
) -> Game:
    """Go on playing after an end, also after one that the rules called."""
    return _happens(ledger, game_id, ["reopened", {}], changes.reopen, expect=expect, key=key)


# ---- rounds --------------------------------------------------------------------------


def preview_round(game: Game, facts: Round, noticed: Iterable[Problem] = ()) -> RoundScore:
    """What a round would be worth; nothing is stored. RuleError where it is refused."""
    return changes.price(game, facts, noticed)


def record_round(
    ledger: Ledger,
    game_id: str,
    facts: Round,
    *,
    key: str,
    noticed: Iterable[Problem] = (),
    expect: int | None = None,
) -> Recorded:
    """Write a round; the same key with the same round records it once.

    Raises RuleError where the rules refuse it, KeyReused for the key of another round,
    Stale where ``expect`` is given and the game has moved on.
    """
    meaning = digest_of(["round", encode_round(facts)])
    with ledger.book_transaction(game_id, key=key, digest=meaning) as transaction:
        if transaction.repeated is None:
            demand(transaction, expect)
            number = changes.next_round(transaction.game)
            _write_round(transaction, "round", number, facts, noticed)
            follow(ledger, transaction)
            return Recorded(transaction.game, transaction.game.sheet.row(number))
        then, game = transaction.repeated, ledger.game_at(game_id, transaction.repeated.number)
        return Recorded(game, game.sheet.row(then.payload["number"]), repeated=True)


def correct_round(
    ledger: Ledger,
    game_id: str,
    number: int,
    facts: Round,
    *,
    expect: int | None,
    key: str | None = None,
    noticed: Iterable[Problem] = (),
) -> Recorded:
    """Write a round again; what stood there stays readable. KeyError if there is none."""

    def change(transaction: BookTransaction) -> None:
        transaction.game.sheet.as_written(number)
        _write_round(transaction, "corrected", number, facts, noticed)

    meaning = ["corrected", number, encode_round(facts)]
    game = _change(ledger, game_id, meaning, change, expect=expect, key=key)
    return Recorded(game, game.sheet.row(number))


def _write_round(
    transaction: BookTransaction, kind: str, number: int, facts: Round, noticed: Iterable[Problem]
) -> None:
    payload = round_payload(number, facts, preview_round(transaction.game, facts, noticed))
    known = facts.note or transaction.game.note(number)
    texts = {f"note.{number}": facts.note} if known else {}
    transaction.append(kind, payload, at=now(), by="pen", texts=texts)


def strike_round(
    ledger: Ledger, game_id: str, number: int, *, expect: int | None, key: str | None = None
) -> Game:
    """Strike a round out; it stays readable and counts for nothing."""
    meaning = ["struck", {"number": number}]
    change = partial(changes.strike, number=number)
    return _happens(ledger, game_id, meaning, change, expect=expect, key=key)


def restore_round(
    ledger: Ledger, game_id: str, number: int, *, expect: int | None, key: str | None = None
) -> Game:
    """Let a struck round count again."""
    meaning = ["restored", {"number": number}]
    change = partial(changes.restore, number=number)
    return _happens(ledger, game_id, meaning, change, expect=expect, key=key)


def round_as_declared(game: Game, row: Row) -> Round:
    """Return a round with its note, as it was sent."""
    note = game.note(row.number)
    return replace(row.round, note=note) if note else row.round


def history(ledger: Ledger, game_id: str) -> list[Change]:
    """Everything that ever happened to a game, with the rounds before and after.

    The rounds are as they were written: who dealt and where everyone stood would have to be
    worked out anew for every change.
    """
    first, *later = ledger.events(game_id)
    game = created(game_id, first)
    changes = [Change(first)]
    for event in later:
        before, game = game.sheet.written, game.apply(event)
        number = event.payload.get("number")
        if number is None:
            changes.append(Change(event))
        else:
            earlier = before[number - 1] if number <= len(before) else None
            changes.append(Change(event, earlier, game.sheet.as_written(number)))
    return changes


def newest(ledger: Ledger, book: Book) -> Event:
    """What made a game or group what it is now."""
    return ledger.events(book.id, book.version, after=book.version - 1)[0]


# ---- money and rights ----------------------------------------------------------------


def mark_paid(
    ledger: Ledger,
    game_id: str,
    number: int,
    paid: bool,
    *,
    expect: int | None,
    key: str | None = None,
) -> Game:
    """Tick a payment of the settlement, by its place in the list, or take the tick back."""

    def change(transaction: BookTransaction) -> None:
        settlement = transaction.game.settlement()
        transfers = settlement.transfers if settlement else None
        if not transfers or not 0 <= number < len(transfers):
            raise KeyError(number)
        write(transaction, changes.tick(transaction.game, transfers[number], paid))

    return _change(ledger, game_id, ["paid", number, paid], change, expect=expect, key=key)


def leave_account(
    ledger: Ledger,
    game_id: str,
    side: int,
    account: Account | None,
    *,
    expect: int | None,
    key: str | None = None,
) -> Game:
    """Keep where a side wants to be paid, or nothing; what was kept before is erased.

    KeyError for a side that is not there.
    """

    def change(transaction: BookTransaction) -> None:
        draft = changes.keep_account(transaction.game, side, account)
        if transaction.game.account(side):
            transaction.erase(*draft.texts)
        write(transaction, draft)

    # No digest of an account number: it would outlive the number.
    meaning = ["account", side, account is not None]
    game = _change(ledger, game_id, meaning, change, expect=expect, key=key)
    ledger.names.clean_soon()
    return game


def replace_secret(
    ledger: Ledger,
    book_id: str,
    right: str,
    *,
    expect: int | None = None,
    key: str | None = None,
    browser: str | None = None,
) -> tuple[Book, str]:
    """A new secret for a right in a game or group; the old one is refused from now on.

    Shown this once: a repeated key answers with an empty one. ``browser`` keeps the pen
    that it replaces. Stale where somebody else replaced it since this was asked for: of
    several who do so at once, one has a secret that opens.
    """
    shown, before = "", ledger.rights.secrets_of(book_id)

    def change(transaction: BookTransaction) -> None:
        nonlocal shown
        if ledger.rights.secrets_of(book_id) != before:
            raise Stale(transaction.version)
        shown = new_secret()
        transaction.append("secret", {"right": right}, at=now(), by="pen")
        transaction.replace_secret(right, shown)
        if browser and right == "pen":
            ledger.rights.remember(browser, book_id, shown)

    book = change_once(ledger, book_id, ["secret", right], change, expect=expect, key=key)
    return book, shown


# ---- how a change is made ------------------------------------------------------------


def _happens(
    ledger: Ledger,
    game_id: str,
    meaning: object,
    draft: Callable[[Game], Draft | None],
    *,
    expect: int | None,
    key: str | None,
) -> Game:
    """Write a change that is nothing but its event, if there is anything to change."""

    def change(transaction: BookTransaction) -> None:
        write(transaction, draft(transaction.game))

    return _change(ledger, game_id, meaning, change, expect=expect, key=key)


def _change(
    ledger: Ledger,
    game_id: str,
    meaning: object,
    change: Callable[[BookTransaction], None],
    *,
    expect: int | None,
    key: str | None,
) -> Game:
    """Make a change of a game once; its group's book follows in the same transaction."""

    def with_group(transaction: BookTransaction) -> None:
        change(transaction)
        follow(ledger, transaction)

    game = change_once(ledger, game_id, meaning, with_group, expect=expect, key=key)
    assert isinstance(game, Game)
    return game


def change_once(
    ledger: Ledger,
    book_id: str,
    meaning: object,
    change: Callable[[BookTransaction], None],
    *,
    expect: int | None,
    key: str | None,
) -> Book:
    """Make a change once: a repeated key answers as it did the first time."""
    with ledger.book_transaction(book_id, key=key, digest=digest_of(meaning)) as transaction:
        if transaction.repeated is None:
            demand(transaction, expect)
            change(transaction)
            return transaction.book
        return ledger.book_at(book_id, transaction.repeated.number)


def demand(transaction: BookTransaction, version: int | None) -> None:
    """Stale if a book is no longer at the version that the writer saw."""
    if version is not None and transaction.version != version:
        raise Stale(transaction.version)


def digest_of(meaning: object) -> str:
    """What a request asks for, as a short text: the same for the same."""
    return hashlib.sha256(canonical(meaning).encode()).hexdigest()[:32]
