"""Validation of an imported game; ``import_checks`` has what games and groups share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import changes, frame, given
from scorekeeper.domain.game.changes import Draft, check_players
from scorekeeper.domain.game.state import Account, Game, payment_of
from scorekeeper.domain.history.book import Event, exact
from scorekeeper.domain.history.codec import decode_score, encode_round, encode_score
from scorekeeper.domain.history.score_check import check_score
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rounds.facts import Round, SeatScore
from scorekeeper.domain.rules import DRAW
from scorekeeper.services.import_checks import (
    Bounds,
    Checked,
    Difference,
    InvalidEvent,
    Replay,
    check_rules,
    is_time,
)
from scorekeeper.store.chain import canonical
from scorekeeper.wire.given import MOST
from scorekeeper.wire.rounds import load_round


def check_game(book_id: str, events: Sequence[Event], bounds: Bounds) -> Checked[Game]:
    """Return the game of these events; RuleError for anything that scorekeeper would not write."""
    replay = GameReplay(bounds, GAME)
    game = replay.play(book_id, events, replay.begin)
    replay.count(game.sheet.untallied)
    return Checked(game, tuple(events), replay.unmarked())


class GameReplay(Replay[Game]):
    """The replay and validation of a game."""

    def begin(self, event: Event) -> None:
        """Check the first event: rules, players, title and place."""
        about = dict(event.payload)
        rules, count = check_rules(about.pop("rules")), about.pop("players")
        if event.kind != "created" or type(count) is not int:
            raise InvalidEvent
        changes.check_count(rules, count)
        names = tuple(self.name(event, f"name.{seat}") for seat in range(count))
        check_players(rules, names)
        drawn = rules.deal.first_dealer == DRAW
        if drawn != ("dealer" in about):
            raise InvalidEvent
        for name, value in about.items():
            if not ORIGINS[name](value, count):
                raise InvalidEvent
        fields = ["title", "place", *(f"name.{seat}" for seat in range(count))]
        self.check_words(event, Draft("created", texts=dict.fromkeys(fields, "")))

    def player(self, game: Game, event: Event) -> Draft:
        self.count(game.sheet.untallied)
        place = event.payload.get("in_place_of")
        if place is not None and type(place) is not int:
            raise InvalidEvent
        name = self.name(event, f"name.{game.sheet.seats}")
        return changes.seat_player(game, name, place)

    def details(self, _: Game, event: Event) -> Draft:
        fields = event.payload["fields"]
        if not fields or sorted(fields) != sorted(event.texts):
            raise InvalidEvent
        if not set(fields) <= {"title", "place"}:
            raise InvalidEvent
        return changes.describe({name: event.texts[name] for name in fields})

    def account(self, game: Game, event: Event) -> Draft:
        kept = Account("", "-") if event.payload["kept"] is True else None
        side = event.payload["side"]
        if type(side) is not int:
            raise InvalidEvent
        return changes.set_account(game, side, kept)

    def round(self, game: Game, event: Event) -> Draft:
        return self.written(game, event, changes.next_round(self.counted(game)))

    def corrected(self, game: Game, event: Event) -> Draft:
        return self.written(game, event, game.sheet.as_written(event.payload["number"]).number)

    def inserted(self, game: Game, event: Event) -> Draft:
        self.count(len(game.sheet.written) - event.payload["number"])
        return self.written(game, event, game.sheet.as_written(event.payload["number"]).number)

    def written(self, game: Game, event: Event, number: int) -> Draft:
        """Return the draft of a round, and collect differences from today's score."""
        facts = load_round(event.payload["round"]).round
        score = event.payload["score"]
        under = changes.at_place(game, event.kind, number)
        problems = differences(under, number, facts, score)
        corrected = event.kind == "corrected"
        ordinal = (
            game.sheet.as_written(number).ordinal if corrected else len(game.sheet.written) + 1
        )
        self.differences += (Difference(event.number, ordinal, problem) for problem in problems)
        facts = replace(facts, note="")
        payload = {"number": number, "round": encode_round(facts), "score": score}
        return Draft(event.kind, payload, {f"note.{ordinal}": ""})

    def frame(self, game: Game, event: Event) -> Draft | None:
        """Return the draft of a corrected frame."""
        about = event.payload
        fields = about.get("fields", [])
        for pair in [about.get("order", []), *about.get("dealers", [])]:
            if any(type(number) is not int for number in pair):
                raise InvalidEvent
        if "began" in about and not is_time(about["began"]):
            raise InvalidEvent
        for name in fields:
            if name.startswith("name."):
                self.name(event, name)
            elif name not in ("title", "place") or name not in event.texts:
                raise InvalidEvent
        if "rules" in about:
            check_rules(about["rules"])
        self.count(len(game.sheet.written))
        return frame.correct_frame(game, frame.read_frame(event), event.at)

    def given(self, game: Game, event: Event) -> Draft:
        about = event.payload
        self.count(game.sheet.untallied)
        for name, value in about.items():
            if type(value) is not (bool if name == "start" else int):
                raise InvalidEvent
        if any(abs(about.get(name, 0)) > MOST for name in ("minus", "plus")):
            raise InvalidEvent
        draft = given.give(game, **about)
        return replace(draft, texts={given.note_field(event.number): ""})

    def taken_back(self, game: Game, event: Event) -> Draft:
        self.count(len(game.sheet.written))
        return given.take_back(game, event.payload["given"])

    def paid(self, game: Game, event: Event) -> Draft:
        """Return the draft of a payment that was due.

        Up to version 1.1 the plan did not change with payments, and each could be marked once.
        """
        payload = event.payload
        self.count(2 * len(game.sheet.written))
        due = Transfer(payload["from"], payload["to"], exact(payload["amount"]))
        marked = (due.payer, due.payee, due.amount) in {made.due for made in game.paid}
        plans = [self.counted(game).settled, None if marked else replace(game, paid=()).settled]
        owed = [one for plan in plans for one in (plan and plan.transfers) or ()]
        return changes.pay(owed[owed.index(due)])  # with our numbers: True is 1

    def unpaid(self, game: Game, event: Event) -> Draft:
        draft = changes.take_back(payment_of(game, event))
        return replace(draft, payload={name: draft.payload[name] for name in event.payload})

    def counted(self, game: Game) -> Game:
        """Return the game once checked for its end, and count the rounds that this added up."""
        untallied = game.sheet.untallied
        _ = game.is_over
        self.count(untallied - game.sheet.untallied)
        return game


ORIGINS: Mapping[str, Callable[[Any, int], bool]] = {
    "dealer": lambda seat, seats: type(seat) is int and 0 <= seat < seats,
    "typed": lambda at, _: is_time(at),
}
"""Validation of further fields in a game's first event."""
GAME: Mapping[str, Callable[..., Draft | None]] = {
    "round": GameReplay.round,
    "inserted": GameReplay.inserted,
    "corrected": GameReplay.corrected,
    "struck": lambda _, game, event: changes.strike(game, event.payload["number"]),
    "restored": lambda _, game, event: changes.restore(game, event.payload["number"]),
    "player": GameReplay.player,
    "details": GameReplay.details,
    "given": GameReplay.given,
    "taken_back": GameReplay.taken_back,
    "frame": GameReplay.frame,
    "thrown_away": lambda _, game, event: frame.throw_away(game),
    "brought_back": lambda _, game, event: frame.bring_back(game),
    "discarded": lambda _, game, event: frame.discard(game),
    "account": GameReplay.account,
    "erased": lambda replay, game, event: replay.erased(game, event, "name", "seat"),
    "secret": GameReplay.secret,
    "ended": lambda replay, game, event: changes.end(replay.counted(game)),
    "reopened": lambda replay, game, event: changes.reopen(replay.counted(game)),
    "paid": GameReplay.paid,
    "unpaid": GameReplay.unpaid,
    "as_it_was": GameReplay.as_it_was,
}


def differences(game: Game, number: int, facts: Round, score: Any) -> list[Problem]:
    """Return where the stored score of a round differs from today's.

    Points and winner are compared; warnings, marks and wording may change between versions.
    Raises what a malformed score makes the reader raise.
    """
    try:
        now = changes.score_again(game, facts).score
    except RuleError as error:
        if error.problems[0].code == "E_FORM" or len(facts.seats) not in (0, game.sheet.seats):
            raise
        check_score(score, facts, game.sheet.seats, game.sheet.sides)
        refused = error.problems[0].code
        return [
            Problem("E_IMPORT_DIFFERS", {"why": "refused", "round": number, "refused": refused})
        ]
    if canonical(encode_score(now)) == canonical(score):
        return []
    check_score(score, facts, game.sheet.seats, game.sheet.sides)
    then = decode_score(score)
    names = game.with_stand_ins(lambda seat: f"#{seat + 1}").sides
    found = [
        Problem("E_IMPORT_DIFFERS", {"round": number, "player": names[side], **values})
        for side, (before, after) in enumerate(zip(then.scores, now.scores, strict=True))
        for values in _unequal(before, after)
    ]
    if not found and (then.winner, then.outcome) != (now.winner, now.outcome):
        winners = {
            "stored": _winner(then.winner, names),
            "now": _winner(now.winner, names),
        }
        found.append(Problem("E_IMPORT_DIFFERS", {"why": "winner", "round": number, **winners}))
    return found


def _unequal(before: SeatScore | None, after: SeatScore | None) -> Iterable[dict[str, object]]:
    """Yield the first total in which two scores of a seat differ, with both values."""
    if before == after:
        return
    for tally in ("minus", "plus", "reduction", "league"):
        values = tuple(None if one is None else getattr(one, tally) for one in (before, after))
        if values[0] != values[1]:
            yield {"stored": values[0], "now": values[1], "tally": tally}
            return


def _winner(side: int | None, names: Sequence[str]) -> str | None:
    return None if side is None else names[side]
