"""The changes that are allowed in a game: each is checked and returned as an event.

These are pure functions of the current game. The use cases write the events that they
return, and imports call them for every event, so both obey the same rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.gin_game import SIDES, scores_game
from scorekeeper.domain.game.planned import check_rows, other_row
from scorekeeper.domain.game.state import Account, Game, Payment
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_round, encode_score
from scorekeeper.domain.lookalikes import check_lookalikes
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rounds.facts import Round, RoundScore, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import GAME_LEVEL, RuleSet
from scorekeeper.domain.rules.consistency import clash

MOST_SEATS = 12
"""The most seats of a game: who has left keeps one, and a newcomer gets another."""
AWAY = Seat(absent=True)


@dataclass(frozen=True)
class Draft:
    """An event before it is written, without number and time."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NewGame:
    """The data of a new game: title and place may be empty; players are listed clockwise."""

    title: str
    place: str
    rules: RuleSet
    players: tuple[str, ...]
    drawn: int | None = None
    """The seat that was drawn to deal first, if the rules say that it is drawn."""

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of the first event."""
        about = {"rules": options.encode_rules(self.rules), "players": len(self.players)}
        return about if self.drawn is None else {**about, "dealer": self.drawn}

    @property
    def texts(self) -> dict[str, str]:
        """The texts that people wrote, by field."""
        names = {f"name.{seat}": name for seat, name in enumerate(self.players)}
        return {"title": self.title, "place": self.place, **names}

    def first_event(self, at: str, key: str | None = None) -> Event:
        """Return the event that begins the game."""
        return Event(1, at, "created", "pen", self.payload, self.texts, key)


@dataclass(frozen=True)
class PlayedEvening:
    """An evening recorded elsewhere, such as on paper."""

    new_game: NewGame
    rounds: tuple[Round, ...]
    at: tuple[str, ...]
    """The times of the beginning, of the end of each round, and of the end."""
    about: dict[str, Any] = field(default_factory=dict)
    """Its origin, for the first event."""


# ---- players -------------------------------------------------------------------------


def check_players(rules: RuleSet, players: tuple[str, ...]) -> None:
    """Raise RuleError if the players do not fit the rules, or for a name given twice."""
    check_count(rules, len(players))
    first = rules.deal.first_dealer
    if isinstance(first, int) and first >= len(players):
        facts = {"number": first + 1, "count": len(players)}
        raise RuleError("E_CONFIG", ("first_dealer",), why="no_dealer", **facts)
    check_names(players, "players")


def check_count(rules: RuleSet, count: int) -> None:
    """Raise RuleError E_CONFIG if the rules do not allow this number of players."""
    least, most = rules.players.min, rules.players.max
    if not least <= count <= most:
        raise RuleError(
            "E_CONFIG", ("players",), why="player_count", count=count, least=least, most=most
        )


def check_sides(rules: RuleSet, seats: int) -> None:
    """Raise RuleError E_CONFIG for a third player where a whole game of gin is scored.

    Its boxes and bonuses are those of two sides (RULES-MORE 7.6), so a newcomer cannot take the
    place of a player [dec].
    """
    if scores_game(rules) and not rules.teams and seats > SIDES:
        name = next(name for name, off in GAME_LEVEL.items() if rules[name] != off)
        raise RuleError.of([clash("game_of_two", name, "players.max")])


def check_new_players(rules: RuleSet, players: tuple[str, ...]) -> None:
    """Raise RuleError also for names that look alike, which games of earlier versions may have."""
    check_players(rules, players)
    check_lookalikes(players, "players")


def check_names(names: Iterable[str], whose: str) -> None:
    """Raise RuleError E_FORM for a name given twice, because players must be distinguishable."""
    known: set[str] = set()
    for number, name in enumerate(names):
        if name and name in known:  # erased names are empty
            raise RuleError("E_FORM", (whose, number, "name"), why="same_name", value=name)
        known.add(name)


def seat_player(game: Game, name: str, in_place_of: int | None = None) -> Draft:
    """Return the event that adds a player after the last seat.

    A game may have more seats than play at once: whoever has left keeps the points and the name.
    ``in_place_of`` names the seat of somebody who leaves and whose place the newcomer takes.
    Raises RuleError E_CONFIG if the table is full, E_FORM for a name given twice, for too many
    seats and for a seat that cannot be given up, E_GAME_OVER if all others have been eliminated.
    """
    if game.rules.end.eliminate and game.is_over:
        raise RuleError("E_GAME_OVER")
    seat, table = game.sheet.seats, game.sheet.at_table
    if in_place_of is not None and (game.rules.teams or not 0 <= in_place_of < seat):
        raise RuleError("E_FORM", ("player", "in_place_of"), why="no_place", seats=seat)
    if seat >= MOST_SEATS:
        raise RuleError("E_FORM", ("player",), why="seats_full", most=MOST_SEATS)
    check_count(game.rules, len([one for one in table if one != in_place_of]) + 1)
    check_sides(game.rules, seat + 1)
    check_names((*game.players, name), "players")
    about = {"seat": seat}
    if in_place_of is not None:
        about["in_place_of"] = in_place_of
    if game.rules.end.eliminate and (start := game.sheet.standing.start):
        about["start"] = start
    return Draft("player", about, {f"name.{seat}": name})


# ---- the evening ---------------------------------------------------------------------


def describe(words: Mapping[str, str]) -> Draft:
    """Return the event that changes title or place."""
    return Draft("details", {"fields": list(words)}, words)


def end(game: Game) -> Draft | None:
    """Return the event that ends the game by hand; None if it is over."""
    return None if game.is_over else Draft("ended")


def reopen(game: Game) -> Draft | None:
    """Return the event that reopens the game; None if it is not over."""
    return Draft("reopened") if game.is_over else None


# ---- rounds --------------------------------------------------------------------------


def next_round(game: Game) -> int:
    """Return the number of the next round; raise RuleError E_GAME_OVER if the game is over."""
    if game.is_over:
        raise RuleError("E_GAME_OVER")
    return len(game.sheet.written) + 1


@dataclass(frozen=True)
class ScoredRound:
    """A round with its score, before it is written.

    The score depends on the facts, the number of seats and the rules, and on nothing else.
    """

    facts: Round
    score: RoundScore
    seats: int
    """The number of players at the table that it was scored for."""
    rules: RuleSet
    """The rules that it was scored under: those of the game, or those of a corrected round."""
    stated: Round | None = None
    """The facts that were sent, if they were completed with newcomers."""

    @cached_property
    def encoded(self) -> dict[str, Any]:
        """The facts in stored form, without the note, which is stored beside the event."""
        return encode_round(replace(self.facts, note="") if self.facts.note else self.facts)

    @property
    def request(self) -> dict[str, Any]:
        """The facts in stored form with the note: they identify the request to record the round."""
        encoded = encode_round(self.stated) if self.stated else self.encoded
        return identifying(encoded) | ({"note": self.facts.note} if self.facts.note else {})

    def payload(self, number: int) -> dict[str, Any]:
        """Return the payload of the event that records this as a round of a game."""
        return {"number": number, "round": self.encoded, "score": encode_score(self.score)}


def identifying(encoded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a round in stored form that identify the request to record it.

    The row of the plan and the order of seats are left out: they follow from the game, so that a
    repeat might have others.
    """
    return {name: fact for name, fact in encoded.items() if name not in ("plan_row", "order")}


def score_for(game: Game, facts: Round, noticed: Iterable[Problem] = ()) -> ScoredRound:
    """Score a round under the rules of this game; raise RuleError if they refuse it.

    ``noticed`` are warnings from reading the input; they travel with the score.
    """
    seats, rules = game.sheet.seats, game.rules
    facts = completed(game, facts)
    score = score_round(facts, rules, seats, noticed=noticed, barred=barred(game, facts))
    return ScoredRound(facts, score, seats, rules)


def barred(game: Game, facts: Round) -> tuple[Problem, ...]:
    """Return a finding for each player of a round who is out or may not come back.

    They come before all findings about cards (RULES-MORE 6).
    """
    if not game.rules.end.eliminate or not facts.counts:
        return ()
    return tuple(game.sheet.standing.before(game.next_number).barred(facts, game.rules))


def completed(game: Game, facts: Round) -> Round:
    """Return the facts of a round of this game with those that follow from the game.

    They are the row of the plan, and the order in which the players sit. That of the columns is
    stated only where the game has another one.
    """
    order = facts.order or order_of(game)
    if order == game.sheet.clockwise == tuple(range(game.sheet.seats)):
        order = ()
    return replace(in_plan(game, facts), order=order)


def order_of(game: Game) -> tuple[int, ...]:
    """Return the order of seats in the next round; empty if that of the columns will do.

    Only Knock Rummy scores by it. A corrected or missed round keeps the order of its place.
    """
    if game.rules.family != "knock":
        return ()
    place = game.sheet.as_written(game.scoring).round if game.scoring else game.sheet
    return place.order


def in_plan(game: Game, facts: Round) -> Round:
    """Return the facts of a round of this game with their row of the plan (RULES-MORE 6).

    Raises RuleError E_PLAN_ROW if they state another one.
    """
    row = game.sheet.plan_row(game.next_number)
    if row is None or not facts.counts or facts.plan_row == row:
        return facts
    if facts.plan_row is not None:
        raise RuleError.of([other_row(facts.plan_row, row)])
    return replace(facts, plan_row=row)


def rules_for_melds(game: Game) -> RuleSet:
    """Return the rules by which melds in one row are divided: with the round's row of the plan."""
    row = game.rules.round.row(game.sheet.plan_row(game.next_number))
    return game.rules.for_round(game.rules.players.max, row)


def at_place(game: Game, kind: str, number: int) -> Game:
    """Return the game as it is for scoring a round, by the kind of its event and its number."""
    if kind not in ("corrected", "inserted"):
        return game
    return replace(game.under(rules_for(game, kind, number)), scoring=number)


def with_newcomers(game: Game, facts: Round, number: int) -> Round:
    """Return the facts that correct a round, with those absent who joined after it was played.

    Only facts for the players of then are completed. Raises KeyError for no round.
    """
    row = game.sheet.as_written(number)
    first = row.earlier[0] if row.earlier else row
    played = len(first.round.seats)
    joined = game.sheet.seats - played
    if not played or not joined or len(facts.seats) != played:
        return facts
    plan_row = None if isinstance(facts.plan_row, tuple) else facts.plan_row  # one for each seat
    return replace(facts, seats=(*facts.seats, *(AWAY,) * joined), plan_row=plan_row)


PLAYED = ("round", "inserted", "corrected", "struck", "restored", "taken_back")
"""The events that change who played which rounds, or who was out in them."""


def check_sequel(book: object, kind: str, number: int) -> None:
    """Raise RuleError if after an event of this kind a round is one that cannot have been played.

    Somebody played who is out (RULES-MORE 8.2), or another row of the plan was played (7.5). All
    rounds from the one of the event on are checked, because they may have become impossible; all
    rounds if points were taken back.
    """
    if not isinstance(book, Game) or kind not in PLAYED:
        return
    number = max(1, number)
    if book.rules.end.eliminate:
        book.sheet.standing.check(number)
    if book.rules.round.plan:
        check_rows(book.sheet.rows, number)


def rules_for(game: Game, kind: str, number: int) -> RuleSet:
    """Return the rules that a round is scored under, by the kind of its event.

    A corrected or inserted round keeps the rules of its place. Raises KeyError for no round.
    """
    match kind:
        case "corrected":
            return game.sheet.as_written(number).rules
        case "inserted":
            return game.sheet.rules_at(number)
    return game.rules


def score_again(game: Game, facts: Round) -> ScoredRound:
    """Score a round that was recorded once, perhaps by an earlier version; raises RuleError."""
    seats = game.sheet.seats
    score = score_round(facts, game.rules, seats, recorded=True)
    return ScoredRound(facts, score, seats, game.rules)


def strike(game: Game, number: int) -> Draft | None:
    """Return the event that strikes out a round; None if it is. Raises KeyError for no round."""
    row = game.sheet.as_written(number)
    return None if row.struck_at else Draft("struck", {"number": row.number})


def restore(game: Game, number: int) -> Draft | None:
    """Return the event that restores a round; None if it counts. Raises KeyError for no round."""
    row = game.sheet.as_written(number)
    return Draft("restored", {"number": row.number}) if row.struck_at else None


def revert(game: Game, number: int) -> Draft | None:
    """Return the event that takes back the last correction of a round; None if there is none.

    It records the points as they were counted then. Players who have joined since were absent.
    Raises KeyError for no round.
    """
    earlier, seats = game.sheet.as_written(number).earlier, game.sheet.seats
    if not earlier:
        return None
    facts, score = earlier[-1].round, earlier[-1].score
    if facts.seats:
        joined = seats - len(facts.seats)
        facts = replace(facts, seats=(*facts.seats, *(AWAY,) * joined))
        if isinstance(facts.plan_row, tuple):
            facts = replace(facts, plan_row=(*facts.plan_row, *(1,) * joined))
    joined = game.sheet.sides - len(score.scores)
    score = replace(score, scores=(*score.scores, *(None,) * joined))
    rules = rules_for(game, "corrected", number)
    return Draft("corrected", ScoredRound(facts, score, seats, rules).payload(number))


# ---- money ---------------------------------------------------------------------------


def pay(due: Transfer) -> Draft:
    """Return the event that marks a payment as made."""
    return Draft("paid", _payload(due))


def take_back(made: Payment) -> Draft:
    """Return the event that removes a payment that was made."""
    return Draft("unpaid", {**_payload(made), "payment": made.event})


def _payload(payment: Transfer) -> dict[str, Any]:
    return {"from": payment.payer, "to": payment.payee, "amount": str(payment.amount)}


def set_account(game: Game, side: int, account: Account | None) -> Draft:
    """Return the event that sets or removes a bank account; raise KeyError for an unknown side."""
    if not 0 <= side < game.sheet.sides:
        raise KeyError(side)
    words = (account.holder, account.iban) if account else ("", "")
    texts = dict(zip((f"holder.{side}", f"iban.{side}"), words, strict=True))
    return Draft("account", {"side": side, "kept": account is not None}, texts)
