"""Use cases of a game: open it, record and correct rounds, settle, replace secrets.

Every change is one event in one transaction, and returns the game at the new version.
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
from scorekeeper.domain.rounds import Round
from scorekeeper.domain.sheet import Row
from scorekeeper.services.bookkeeping import append_draft, now, update_group
from scorekeeper.store.chain import canonical
from scorekeeper.store.errors import AlreadyExists
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.links import SecretName


class Stale(Exception):
    """The game has changed since the version that the client saw."""

    def __init__(self, version: int) -> None:
        super().__init__(f"now at version {version}")
        self.version = version


@dataclass(frozen=True)
class CreatedGame:
    """A new game and its two secrets, which are shown only once."""

    game: Game
    pen: str
    watch: str


@dataclass(frozen=True)
class Recorded:
    """A game after a round was recorded, and that round."""

    game: Game
    row: Row
    repeated: bool = False
    """The request is a repeat; nothing was written."""


@dataclass(frozen=True)
class Change:
    """One entry of a game's history, with the round before and after if it concerns one."""

    event: Event
    before: Row | None = None
    after: Row | None = None


def new_rules(
    name: str, changes: Mapping[str, object], stake: Mapping[str, object] | None = None
) -> RuleSet:
    """Return a rule system with house rules and a stake; RuleError E_CONFIG if they clash."""
    return preset(name).override({**changes, **stake_options(stake or {})})


def draw_dealer(new_game: NewGame) -> NewGame:
    """Return the game with its first dealer, drawn by lot if the rules say so."""
    if new_game.rules.deal.first_dealer != DRAW:
        return new_game
    return replace(new_game, drawn=secrets.randbelow(len(new_game.players)))


# ---- games ---------------------------------------------------------------------------


def create_game(
    ledger: Ledger, new_game: NewGame, *, key: str | None = None, browser: str | None = None
) -> CreatedGame:
    """Begin a game, or return the game begun before with the same key in the same browser.

    The first dealer is drawn once and stored. Raises RuleError E_CONFIG for a number of players
    that the rules do not allow or a first dealer who does not exist, and E_FORM for two players
    of the same name.
    """
    check_players(new_game.rules, new_game.players)
    new_game = draw_dealer(new_game)
    game_id, at = new_id(), now()
    pen, watch = ledger.links.first_secrets(game_id, at)
    try:
        event = ledger.create(
            game_id,
            at=at,
            payload=new_game.payload,
            texts=new_game.texts,
            pen=pen,
            watch=watch,
            key=key,
            browser=browser,
        )
    except AlreadyExists as known:  # sent twice
        return CreatedGame(ledger.game(known.book_id), "", "")
    return CreatedGame(created(game_id, event), pen, watch)


def new_id() -> str:
    """Return a random id of 50 bits, without letters that are easily misread."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def add_player(
    ledger: Ledger, game_id: str, name: str, *, expect: int | None, key: str | None = None
) -> Game:
    """Add a player in the last seat, who is absent in all rounds so far."""
    draft = partial(changes.seat_player, name=name)
    return _happens(ledger, game_id, ["player", name], draft, expect=expect, key=key)


def change_details(
    ledger: Ledger,
    game_id: str,
    details: Mapping[str, str],
    *,
    expect: int | None,
    key: str | None = None,
) -> Game:
    """Change title and place."""
    words = {field: details[field] for field in ("title", "place") if field in details}
    draft = changes.describe(words)
    return _happens(ledger, game_id, ["details", words], lambda _: draft, expect=expect, key=key)


def end_game(ledger: Ledger, game_id: str, *, expect: int | None, key: str | None = None) -> Game:
    """End the game before its agreed end."""
    return _happens(ledger, game_id, ["ended", {}], changes.end, expect=expect, key=key)


def reopen_game(
    ledger: Ledger, game_id: str, *, expect: int | None, key: str | None = None
) -> Game:
    """Continue a game, even one that ended by its rules."""
    return _happens(ledger, game_id, ["reopened", {}], changes.reopen, expect=expect, key=key)


# ---- rounds --------------------------------------------------------------------------


def record_round(
    ledger: Ledger,
    game_id: str,
    facts: Round,
    *,
    key: str,
    noticed: Iterable[Problem] = (),
    expect: int | None = None,
) -> Recorded:
    """Record a round; the same key with the same round records it once.

    Raises RuleError if the rules refuse it, KeyReused for a key of another round, and Stale if
    the game is not at the version ``expect``.
    """
    with ledger.book_transaction(
        game_id, key=key, digest=request_digest(["round", encode_round(facts)])
    ) as transaction:
        if transaction.repeated is None:
            check_version(transaction, expect)
            number = changes.next_round(transaction.game)
            _write_round(transaction, "round", number, facts, noticed)
            update_group(ledger, transaction)
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
    """Replace a round; the previous entry stays readable. KeyError if there is none."""

    def change(transaction: BookTransaction) -> None:
        transaction.game.sheet.as_written(number)
        _write_round(transaction, "corrected", number, facts, noticed)

    request = ["corrected", number, encode_round(facts)]
    game = _change(ledger, game_id, request, change, expect=expect, key=key)
    return Recorded(game, game.sheet.row(number))


def _write_round(
    transaction: BookTransaction, kind: str, number: int, facts: Round, noticed: Iterable[Problem]
) -> None:
    payload = round_payload(number, facts, changes.price(transaction.game, facts, noticed))
    known = facts.note or transaction.game.note(number)
    texts = {f"note.{number}": facts.note} if known else {}
    transaction.append(kind, payload, at=now(), by="pen", texts=texts)


def strike_round(
    ledger: Ledger, game_id: str, number: int, *, expect: int | None, key: str | None = None
) -> Game:
    """Strike out a round; it stays readable and no longer counts."""
    request = ["struck", {"number": number}]
    draft = partial(changes.strike, number=number)
    return _happens(ledger, game_id, request, draft, expect=expect, key=key)


def restore_round(
    ledger: Ledger, game_id: str, number: int, *, expect: int | None, key: str | None = None
) -> Game:
    """Restore a struck round, so that it counts again."""
    request = ["restored", {"number": number}]
    draft = partial(changes.restore, number=number)
    return _happens(ledger, game_id, request, draft, expect=expect, key=key)


def round_as_declared(game: Game, row: Row) -> Round:
    """Return a round with its note, as it was sent."""
    note = game.note(row.number)
    return replace(row.round, note=note) if note else row.round


def history(ledger: Ledger, game_id: str) -> list[Change]:
    """Return all changes of a game, with the rounds before and after.

    The rounds have no dealer or totals, which would have to be computed for every change.
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
    """Mark a payment of ``Game.numbered_payments`` as made, or take it back.

    Nothing changes if it is so already. Raises KeyError for an index without a payment, and
    RuleError E_NOT_ZERO_SUM if none are due because the settlement is impossible.
    """

    def change(transaction: BookTransaction) -> None:
        game = transaction.game
        if number >= len(game.paid):
            game.settlement()
        payments = game.numbered_payments
        if not 0 <= number < len(payments):
            raise KeyError(number)
        one = payments[number]
        if paid and one.paid_at is None:
            append_draft(transaction, changes.pay(one))
        elif not paid and one.paid_at is not None:
            append_draft(transaction, changes.take_back(one))

    return _change(ledger, game_id, ["paid", number, paid], change, expect=expect, key=key)


def store_account(
    ledger: Ledger,
    game_id: str,
    side: int,
    account: Account | None,
    *,
    expect: int | None,
    key: str | None = None,
) -> Game:
    """Store the account of a side, or erase it; the previous one is erased.

    KeyError for a side that does not exist.
    """

    def change(transaction: BookTransaction) -> None:
        draft = changes.set_account(transaction.game, side, account)
        if transaction.game.account(side):
            transaction.erase(*draft.texts)
        append_draft(transaction, draft)

    # A digest of the account number would outlive the number.
    request = ["account", side, account is not None]
    game = _change(ledger, game_id, request, change, expect=expect, key=key)
    ledger.names.clean_soon()
    return game


def replace_secret(
    ledger: Ledger,
    book_id: str,
    right: SecretName,
    *,
    expect: int | None = None,
    key: str | None = None,
    browser: str | None = None,
) -> tuple[Book, str]:
    """Replace a secret of a game or group, or make that of a game's paper.

    The old one is refused at once. A repeated key returns an empty secret. ``browser`` keeps its
    pen. Raises Stale if somebody else has replaced a secret in the meantime, so that of several
    at once only one succeeds.
    """
    shown, before = "", ledger.rights.secrets_of(book_id)

    def change(transaction: BookTransaction) -> None:
        nonlocal shown
        _check_secrets(ledger, transaction, before)
        made = transaction.append("secret", {"right": right}, at=now(), by="pen")
        shown = ledger.links.secret(book_id, right, (made.number, made.at))
        transaction.replace_secret(right, shown)
        if browser and right == "pen":
            ledger.rights.remember(browser, book_id, shown)

    book = change_once(ledger, book_id, ["secret", right], change, expect=expect, key=key)
    return book, shown


def withdraw_paper(
    ledger: Ledger, game_id: str, *, expect: int | None = None, key: str | None = None
) -> Game:
    """Refuse the codes on printed sheets from now on, and print none; nobody else is cut off.

    Raises Stale as ``replace_secret`` does.
    """
    before = ledger.rights.secrets_of(game_id)

    def change(transaction: BookTransaction) -> None:
        _check_secrets(ledger, transaction, before)
        if before.get("paper"):
            payload = {"right": "paper", "withdrawn": True}
            transaction.append("secret", payload, at=now(), by="pen")
            transaction.replace_secret("paper", None)

    return _change(ledger, game_id, ["secret", "paper", None], change, expect=expect, key=key)


def _check_secrets(
    ledger: Ledger, transaction: BookTransaction, before: Mapping[SecretName, bytes | None]
) -> None:
    if ledger.rights.secrets_of(transaction.id) != before:
        raise Stale(transaction.version)


# ---- how a change is made ------------------------------------------------------------


def _happens(
    ledger: Ledger,
    game_id: str,
    request: object,
    draft: Callable[[Game], Draft | None],
    *,
    expect: int | None,
    key: str | None,
) -> Game:
    """Append the event of a simple change, if there is anything to change."""

    def change(transaction: BookTransaction) -> None:
        append_draft(transaction, draft(transaction.game))

    return _change(ledger, game_id, request, change, expect=expect, key=key)


def _change(
    ledger: Ledger,
    game_id: str,
    request: object,
    change: Callable[[BookTransaction], None],
    *,
    expect: int | None,
    key: str | None,
) -> Game:
    """Make a change of a game once, and update its group in the same transaction."""

    def with_group(transaction: BookTransaction) -> None:
        change(transaction)
        update_group(ledger, transaction)

    game = change_once(ledger, game_id, request, with_group, expect=expect, key=key)
    assert isinstance(game, Game)
    return game


def change_once(
    ledger: Ledger,
    book_id: str,
    request: object,
    change: Callable[[BookTransaction], None],
    *,
    expect: int | None,
    key: str | None,
) -> Book:
    """Make a change once; a repeated key returns the result of the first time."""
    with ledger.book_transaction(book_id, key=key, digest=request_digest(request)) as transaction:
        if transaction.repeated is None:
            check_version(transaction, expect)
            change(transaction)
            return transaction.book
        return ledger.book_at(book_id, transaction.repeated.number)


def check_version(transaction: BookTransaction, version: int | None) -> None:
    """Raise Stale if a book is not at the version that the client saw."""
    if version is not None and transaction.version != version:
        raise Stale(transaction.version)


def request_digest(request: object) -> str:
    """Return a digest of a request, to recognise the same request."""
    return hashlib.sha256(canonical(request).encode()).hexdigest()[:32]
