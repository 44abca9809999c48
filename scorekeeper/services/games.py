"""Use cases of a game: open it, record and correct rounds, settle, replace secrets.

Every change is one event in one transaction, and returns the game at the new version.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scorekeeper.domain.game import changes, frame
from scorekeeper.domain.game.changes import (
    Draft,
    NewGame,
    ScoredRound,
    check_new_players,
    rules_for,
)
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Account, Game, created
from scorekeeper.domain.group.changes import check_no_table
from scorekeeper.domain.history.book import Book, Event
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.lookalikes import check_lookalikes
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.domain.rules import DRAW, RuleSet
from scorekeeper.domain.rules.presets import preset, stake_options
from scorekeeper.services.bookkeeping import append_draft, update_group
from scorekeeper.services.clock import now
from scorekeeper.services.writes import (
    Stale,
    change_book,
    change_game,
    check_version,
    request_digest,
)
from scorekeeper.store.errors import AlreadyExists, KeyReused
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.links import SecretName
from scorekeeper.store.writes import Write


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
    then: Game | None = None
    """The game before it, for what needs more of it."""


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
    of the same name, or whose names look alike.
    """
    check_new_players(new_game.rules, new_game.players)
    new_game = draw_dealer(new_game)
    first = new_game.first_event(now(), key)
    try:
        return CreatedGame(*ledger.create(Game, new_id(), first, browser=browser))
    except AlreadyExists as known:  # sent twice
        return CreatedGame(ledger.game(known.book_id), "", "")


def new_id() -> str:
    """Return a random id of 50 bits, without letters that are easily misread."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def add_player(
    ledger: Ledger,
    game_id: str,
    name: str,
    write: Write,
    *,
    in_place_of: int | None = None,
    third: bool = False,
) -> Game:
    """Add a player in the last seat; raise RuleError as ``changes.seat_player``.

    They are absent in all rounds so far. For a ``third`` at gin the house rules change too.
    """

    def draft(transaction: BookTransaction) -> Draft:
        append_draft(transaction, frame.for_three(transaction.game, now()) if third else None)
        check_lookalikes(
            (*transaction.game.players, name), "players", known=transaction.game.players
        )
        return changes.seat_player(transaction.game, name, in_place_of)

    place = "third" if third else in_place_of
    request = ["player", name] if place is None else ["player", name, place]
    return change_book(Game, ledger, game_id, request, draft, write)


def change_details(ledger: Ledger, game_id: str, details: Mapping[str, str], write: Write) -> Game:
    """Change title and place."""
    words = {field: details[field] for field in ("title", "place") if field in details}
    draft = changes.describe(words)
    return change_book(Game, ledger, game_id, ["details", words], lambda _: draft, write)


def correct_frame(
    ledger: Ledger, game_id: str, request: object, framed: Callable[[Game], Frame], write: Write
) -> Game:
    """Correct what surrounds the rounds of an evening; nothing changes if it is so already.

    ``framed`` returns the frame for the game as it is then; ``request`` is what was asked for.
    Raises RuleError as ``domain.game.frame.correct_frame`` does, and E_FORM for a name that looks
    like that of another player.
    """

    def draft(game: Game) -> Draft | None:
        new = frame.changed(game, framed(game))
        draft = frame.correct_frame(game, new, now())
        if new.names:
            others = tuple(n for seat, n in enumerate(game.players) if seat not in new.names)
            check_lookalikes(
                [new.names.get(seat, name) for seat, name in enumerate(game.players)],
                "players",
                known=others,
            )
        return draft

    return change_game(ledger, game_id, ["frame", request], draft, write)


def throw_away(ledger: Ledger, game_id: str, write: Write) -> Game:
    """Throw an evening away; it can be brought back until ``services.discard`` erases it.

    Raises RuleError E_GROUP for a table of a tournament.
    """

    def change(transaction: BookTransaction) -> Draft | None:
        if transaction.evening:
            check_no_table(ledger.group(transaction.evening[0]), game_id)
        return frame.throw_away(transaction.game)

    return change_book(Game, ledger, game_id, ["thrown_away"], change, write)


def bring_back(ledger: Ledger, game_id: str, write: Write) -> Game:
    """Bring back an evening that was thrown away."""
    return change_game(ledger, game_id, ["brought_back"], frame.bring_back, write)


def end_game(ledger: Ledger, game_id: str, write: Write) -> Game:
    """End the game before its agreed end."""
    return change_game(ledger, game_id, ["ended", {}], changes.end, write)


def reopen_game(ledger: Ledger, game_id: str, write: Write) -> Game:
    """Continue a game, even one that ended by its rules."""
    return change_game(ledger, game_id, ["reopened", {}], changes.reopen, write)


# ---- rounds --------------------------------------------------------------------------


def record_round(ledger: Ledger, game_id: str, scored: ScoredRound, write: Write) -> Recorded:
    """Record a scored round; the same key with the same round records it once.

    Raises RuleError E_GAME_OVER if the game is over, KeyReused for a key of another round, and
    Stale if the game is not at the expected version or has more players than the score.
    """
    digest = request_digest(["round", scored.request])
    with ledger.book_transaction(game_id, write, digest=digest) as transaction:
        if transaction.repeated is None:
            check_version(transaction, write.expected)
            number = changes.next_round(transaction.game)
            append_draft(transaction, round_event(transaction, "round", number, scored))
            update_group(ledger, transaction)
            return Recorded(transaction.game, transaction.game.sheet.row(number))
        return _repeated(ledger, game_id, transaction.repeated)


def recorded_before(
    ledger: Ledger, game_id: str, facts: Round, write: Write, kind: str = "round", number: int = 0
) -> Recorded | None:
    """Return the round that the same request has recorded before, if it has.

    A repeat is answered with the first result even if the round could no longer be scored, such
    as after a player has joined. ``kind`` is that of the event, and ``number`` the place of a
    corrected or inserted round.
    """
    request = [kind] if kind == "round" else [kind, number]
    digest = request_digest([*request, changes.identifying(encode_round(facts))])
    try:
        with ledger.book_transaction(game_id, write, digest=digest) as transaction:
            event = transaction.repeated
    except KeyReused:
        return None
    return _repeated(ledger, game_id, event) if event else None


def _repeated(ledger: Ledger, game_id: str, event: Event) -> Recorded:
    game = ledger.game_at(game_id, event.number)
    return Recorded(game, game.sheet.row(event.payload["number"]), repeated=True)


def correct_round(
    ledger: Ledger, game_id: str, number: int, scored: ScoredRound, write: Write
) -> Recorded:
    """Replace a round by a scored one; the previous entry stays readable.

    Raises KeyError if there is no such round, and otherwise the same as ``record_round``.
    """
    return _write_at(ledger, game_id, "corrected", number, scored, write)


def insert_round(
    ledger: Ledger, game_id: str, number: int, scored: ScoredRound, write: Write
) -> Recorded:
    """Insert a missed round before the one that has its number now; later ones move on by one.

    Raises KeyError if there is no round of that number, and otherwise as ``record_round``; a game
    that is over can be completed too.
    """
    return _write_at(ledger, game_id, "inserted", number, scored, write)


def _write_at(
    ledger: Ledger, game_id: str, kind: str, number: int, scored: ScoredRound, write: Write
) -> Recorded:
    def change(transaction: BookTransaction) -> Draft:
        transaction.game.sheet.as_written(number)
        return round_event(transaction, kind, number, scored)

    game = change_book(Game, ledger, game_id, [kind, number, scored.request], change, write)
    return Recorded(game, game.sheet.row(number))


def round_event(transaction: BookTransaction, kind: str, number: int, scored: ScoredRound) -> Draft:
    """Return the event of a scored round, or of a correction or insertion (``kind``).

    Raises Stale if players have joined since it was scored, or the rules have changed.
    """
    game = transaction.game
    if scored.seats != game.sheet.seats or scored.rules != rules_for(game, kind, number):
        raise Stale(transaction.version)
    return round_draft(game, kind, number, scored)


def round_draft(game: Game, kind: str, number: int, scored: ScoredRound) -> Draft:
    """Return the event of a scored round, or of its correction or insertion, with its note."""
    note, field = scored.facts.note, game.note_field(number if kind == "corrected" else None)
    texts = {field: note} if note or game.texts.get(field) else {}
    return Draft(kind, scored.payload(number), texts)


def strike_round(ledger: Ledger, game_id: str, number: int, write: Write) -> Game:
    """Strike out a round; it stays readable and no longer counts."""
    request = ["struck", {"number": number}]
    return change_game(ledger, game_id, request, lambda game: changes.strike(game, number), write)


def restore_round(ledger: Ledger, game_id: str, number: int, write: Write) -> Game:
    """Restore a struck round, so that it counts again."""
    request = ["restored", {"number": number}]
    return change_game(ledger, game_id, request, lambda game: changes.restore(game, number), write)


def revert_round(ledger: Ledger, game_id: str, number: int, write: Write) -> Game:
    """Take back the last correction of a round, which is one more correction."""
    request = ["reverted", {"number": number}]
    return change_game(ledger, game_id, request, lambda game: changes.revert(game, number), write)


def round_as_declared(game: Game, row: Row) -> Round:
    """Return a round with its note, as it was sent."""
    note = game.note(row.number)
    return replace(row.round, note=note) if note else row.round


def history(ledger: Ledger, game_id: str) -> list[Change]:
    """Return all changes of a game, with the rounds before and after.

    The rounds have no totals, which would have to be computed for every change.
    """
    first, *later = ledger.events(game_id)
    game = created(game_id, first)
    changes = [Change(first)]
    for event in later:
        game_before, game = game, game.apply(event)
        before = game_before.sheet.written
        number = event.payload.get("number")
        if number is None:
            changes.append(Change(event, then=game_before))
        else:
            is_new = event.kind in ("round", "inserted")
            earlier = None if is_new else before[number - 1]
            changes.append(Change(event, earlier, game.sheet.as_written(number)))
    return changes


# ---- money and rights ----------------------------------------------------------------


def mark_paid(ledger: Ledger, game_id: str, number: int, paid: bool, write: Write) -> Game:
    """Mark a payment of ``Game.numbered_payments`` as made, or take it back.

    Nothing changes if it is so already. Raises KeyError for an index without a payment, and
    RuleError E_NOT_ZERO_SUM if none are due because the settlement is impossible.
    """

    def change(transaction: BookTransaction) -> Draft | None:
        game = transaction.game
        if number >= len(game.paid):
            game.settlement()
        payments = game.numbered_payments
        if not 0 <= number < len(payments):
            raise KeyError(number)
        one = payments[number]
        if paid == (one.paid_at is not None):
            return None
        return changes.pay(one) if paid else changes.take_back(one)

    return change_book(Game, ledger, game_id, ["paid", number, paid], change, write)


def store_account(
    ledger: Ledger, game_id: str, side: int, account: Account | None, write: Write
) -> Game:
    """Store the account of a side, or erase it; the previous one is erased.

    KeyError for a side that does not exist.
    """

    def change(transaction: BookTransaction) -> Draft:
        draft = changes.set_account(transaction.game, side, account)
        if transaction.game.account(side):
            transaction.erase(*draft.texts)
        return draft

    # A digest of the account number would outlive the number.
    request = ["account", side, account is not None]
    game = change_book(Game, ledger, game_id, request, change, write)
    ledger.cleaning.clean_soon()
    return game


def replace_secret(
    ledger: Ledger, book_id: str, right: SecretName, write: Write, *, browser: str | None = None
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

    book = change_book(Book, ledger, book_id, ["secret", right], change, write)
    return book, shown


def withdraw_paper(ledger: Ledger, game_id: str, write: Write) -> Game:
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

    return change_book(Game, ledger, game_id, ["secret", "paper", None], change, write)


def _check_secrets(
    ledger: Ledger, transaction: BookTransaction, before: Mapping[SecretName, bytes | None]
) -> None:
    if ledger.rights.secrets_of(transaction.id) != before:
        raise Stale(transaction.version)
