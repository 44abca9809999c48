"""What may happen next in a game: each change, checked, as the event that records it.

Pure functions of the game as it stands. The use cases write what they return; an import
asks them for every event that it brings, so both obey the same rules.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.domain import options
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Account, Game
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.record import encode_round, encode_score
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.domain.scoring import score_round
from scorekeeper.domain.settlement import Transfer


@dataclass(frozen=True)
class Draft:
    """An event before it is written: without its number and its time."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NewGame:
    """What is needed to begin: title and place may be empty, players sit clockwise."""

    title: str
    place: str
    rules: RuleSet
    players: tuple[str, ...]
    drawn: int | None = None
    """The seat that was drawn to deal first, where the rules say to draw it."""

    @property
    def payload(self) -> dict[str, Any]:
        """What the first event of the game holds."""
        about = {"rules": options.stored(self.rules), "players": len(self.players)}
        return about if self.drawn is None else {**about, "dealer": self.drawn}

    @property
    def texts(self) -> dict[str, str]:
        """The words people wrote, by their field."""
        names = {f"name.{seat}": name for seat, name in enumerate(self.players)}
        return {"title": self.title, "place": self.place, **names}


@dataclass(frozen=True)
class Played:
    """An evening as others wrote it down."""

    order: NewGame
    rounds: tuple[Round, ...]
    at: tuple[str, ...]
    """When it began, when each round was over, and when it ended."""
    about: dict[str, Any] = field(default_factory=dict)
    """What the first event says of where it comes from."""


# ---- players -------------------------------------------------------------------------


def check_players(rules: RuleSet, players: tuple[str, ...]) -> None:
    """RuleError for players who do not fit the rules, or a name given twice."""
    check_count(rules, len(players))
    first = rules.deal.first_dealer
    if isinstance(first, int) and first >= len(players):
        facts = {"number": first + 1, "count": len(players)}
        raise RuleError("E_CONFIG", ("first_dealer",), why="no_dealer", **facts)
    check_names(players, "players")


def check_count(rules: RuleSet, count: int) -> None:
    """RuleError E_CONFIG for a number of players that the rules do not know."""
    least, most = rules.players.min, rules.players.max
    if not least <= count <= most:
        raise RuleError(
            "E_CONFIG", ("players",), why="player_count", count=count, least=least, most=most
        )


def check_names(names: Iterable[str], whose: str) -> None:
    """RuleError E_FORM for a name given twice: two must not be taken for one another."""
    known: set[str] = set()
    for number, name in enumerate(names):
        if name and name in known:  # an erased one is nobody's
            raise RuleError("E_FORM", (whose, number, "name"), why="same_name", value=name)
        known.add(name)


def seat_player(game: Game, name: str) -> Draft:
    """One more player, at the end of the row."""
    check_players(game.rules, (*game.players, name))
    seat = game.sheet.seats
    return Draft("player", {"seat": seat}, {f"name.{seat}": name})


# ---- the evening ---------------------------------------------------------------------


def describe(words: Mapping[str, str]) -> Draft:
    """Another title or place."""
    return Draft("details", {"fields": list(words)}, words)


def end(game: Game) -> Draft | None:
    """The end by the players' word; None for a game that is over."""
    return None if game.is_over else Draft("ended")


def reopen(game: Game) -> Draft | None:
    """Play goes on after an end; None for a game that is not over."""
    return Draft("reopened") if game.is_over else None


# ---- rounds --------------------------------------------------------------------------


def next_round(game: Game) -> int:
    """The number of the round that may be recorded next; RuleError E_GAME_OVER if none may."""
    if game.is_over:
        raise RuleError("E_GAME_OVER")
    return len(game.sheet.written) + 1


_priced: ContextVar[tuple[Round, int, RoundScore] | None] = ContextVar("priced", default=None)


@contextmanager
def priced(facts: Round, seats: int, score: RoundScore) -> Iterator[None]:
    """Inside, a round that was scored before is not scored again by ``price``."""
    token = _priced.set((facts, seats, score))
    try:
        yield
    finally:
        _priced.reset(token)


def price(game: Game, facts: Round, noticed: Iterable[Problem] = ()) -> RoundScore:
    """What a round is worth in this game; RuleError where the rules refuse it."""
    known = _priced.get()
    if known and known[:2] == (facts, game.sheet.seats):
        return known[2]
    return score_round(facts, game.rules, game.sheet.seats, noticed=noticed)


def round_payload(number: int, facts: Round, score: RoundScore) -> dict[str, Any]:
    """Return what the event of a round holds: the facts and their score, but no note."""
    silent = replace(facts, note="") if facts.note else facts
    return {"number": number, "round": encode_round(silent), "score": encode_score(score)}


def strike(game: Game, number: int) -> Draft | None:
    """A round struck out; None if it is already. KeyError for one that is not there."""
    struck = game.sheet.as_written(number).struck_at
    return None if struck else Draft("struck", {"number": number})


def restore(game: Game, number: int) -> Draft | None:
    """A struck round counts again; None if it counts. KeyError for one that is not there."""
    struck = game.sheet.as_written(number).struck_at
    return Draft("restored", {"number": number}) if struck else None


# ---- money ---------------------------------------------------------------------------


def tick(game: Game, due: Transfer, paid: bool) -> Draft | None:
    """A payment ticked or unticked; None if it is so already. KeyError for one nobody owes."""
    settlement = game.settled
    if settlement is None or due not in (settlement.transfers or ()):
        raise KeyError(due)
    if (game.paid_at(due) is not None) == paid:
        return None
    payload = {"from": due.payer, "to": due.payee, "amount": str(due.amount)}
    return Draft("paid" if paid else "unpaid", payload)


def keep_account(game: Game, side: int, account: Account | None) -> Draft:
    """Where a side wants to be paid, or that it took it back. KeyError for no such side."""
    if not 0 <= side < game.sheet.sides:
        raise KeyError(side)
    words = (account.holder, account.iban) if account else ("", "")
    texts = dict(zip((f"holder.{side}", f"iban.{side}"), words, strict=True))
    return Draft("account", {"side": side, "kept": account is not None}, texts)
