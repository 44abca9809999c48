"""The turn as players tell it: five questions in the order of a turn, and what is judged.

The answers become the body of the question that the API asks too (``questions``), so page
and API cannot disagree. An empty field says nothing; ``nothing`` is an answer of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.domain.cards import JOKER, Card
from scorekeeper.domain.checks import has_errors
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import Meld, lay_off, read_meld
from scorekeeper.domain.notation import read_cards, write_cards
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Cards
from scorekeeper.domain.turn import Instead, most_drawn, remedies
from scorekeeper.i18n import Language
from scorekeeper.services.referee import TurnQuestion, TurnQuestionSchema
from scorekeeper.web.background import search_exactly
from scorekeeper.web.pages.forms import Fields, lines, notation_of, whole
from scorekeeper.wire.strict import load

ROWS = 6
"""So many lay-offs and exchanges one turn can tell of."""


def steps_of(rules: RuleSet) -> tuple[str, ...]:
    """The questions that these rules leave open, in the order of a turn."""
    asked = {
        "drawn": True,
        "melded": rules.family == "lay",
        "laid_off": rules.family == "lay" and rules.layoff.scope != "none",
        "swapped": rules.family == "lay" and rules.joker.swap != "none" and rules.has_wild_cards,
        "glass": rules.gin.glass,
        "ended": rules.gin.hirschn,
        "discarded": True,
    }
    return tuple(name for name, is_asked in asked.items() if is_asked)


def sources_of(rules: RuleSet) -> tuple[str, ...]:
    """Where a card can have come from."""
    claim = ("claim",) if rules.klopfen.mode != "off" else ()
    return ("stock", "discard", "none", "more", *claim)


@dataclass(frozen=True)
class Move:
    """A card that was laid off, or exchanged for a joker, and the meld it went to."""

    card: Cards
    on: Cards
    own: bool = False


@dataclass
class Told:
    """What the fields say, as cards; ``None`` is unanswered, an empty list "nothing"."""

    out_of_turn: bool = False
    source: str = ""
    taken: Cards = ()
    melded: list[Cards] | None = None
    laid_off: list[Move] | None = None
    swapped: list[Move] | None = None
    discarded: Cards | None = None
    glass: int | None = None
    ended: str = ""
    faults: dict[str, list[Problem]] = field(default_factory=dict)
    """What cannot be read, by field."""

    def answered(self, step: str) -> bool:
        """Whether a question is answered, so that it shrinks to one line."""
        if step == "drawn":
            is_named = self.source not in ("discard", "claim") or bool(self.taken)
            return is_named and (bool(self.source) or self.out_of_turn)
        if step == "ended":
            return bool(self.ended)
        return getattr(self, step) is not None


def told_by(form: Fields, rules: RuleSet) -> Told:
    """Read the fields of a turn."""
    told = Told(out_of_turn=bool(form.get("out_of_turn")))

    def cards(name: str, text: str | None = None) -> Cards:
        try:
            return read_cards(form.get(name, "") if text is None else text, notation_of(form))[0]
        except RuleError as error:
            told.faults.setdefault(name, []).extend(error.problems)
            return ()

    def moves(step: str) -> list[Move] | None:
        found = []
        for row in range(ROWS):
            card, on = cards(f"{step}_card_{row}"), cards(f"{step}_on_{row}")
            if card and on:
                found.append(Move(card, on, bool(form.get(f"{step}_own_{row}"))))
        return found or ([] if form.get(f"{step}_none") else None)

    told.source = form.get("drawn", "") if form.get("drawn") in sources_of(rules) else ""
    told.taken = cards("drawn_card")[:1] if told.source in ("discard", "claim") else ()
    melds = [meld for line in lines(form.get("melded", "")) if (meld := cards("melded", line))]
    told.melded = melds or ([] if form.get("melded_none") else None)
    told.laid_off, told.swapped = moves("laid_off"), moves("swapped")
    discarded = cards("discarded")[:1]
    told.discarded = discarded or (() if form.get("discarded_none") else None)
    attempts = whole(form.get("glass", ""))
    told.glass = attempts if isinstance(attempts, int) else None
    told.ended = form.get("ended", "")
    return told


# ---- the question ----------------------------------------------------------------------


def question_of(told: Told, form: Fields, rules: RuleSet, players: int | None) -> Any:
    """The question that the answers ask; None while there is nothing to judge."""
    body = dict(_facts(told, form, rules))
    moved = (told.melded, told.laid_off, told.swapped)
    if any(part is not None for part in moved):
        body |= _table(told, form, rules)
    if not body:
        return None
    if players:
        body["players"] = players
    if told.out_of_turn:
        body["in_turn"] = False
    body["has_laid"] = not form.get("first")
    body["rules"] = {"preset": rules.preset}
    return body


def _facts(told: Told, form: Fields, rules: RuleSet) -> Iterator[tuple[str, Any]]:
    """What was drawn, claimed, called and discarded."""
    of_table = [step for step in steps_of(rules) if step in ("melded", "laid_off", "swapped")]
    settled = told.discarded is not None or all(map(told.answered, of_table))
    named = [{"card": str(card)} for card in told.taken if settled or told.source == "claim"]
    drawn: Mapping[str, list[dict[str, str]]] = {
        "stock": [{"from": "stock"}],
        "discard": [{"from": "discard", **(named[0] if named else {})}],
        "none": [],
        "more": [{"from": "stock"}] * (most_drawn(rules, None) + 1),
    }
    if told.source in drawn:
        yield "drawn", drawn[told.source]
    elif told.taken:
        refused = {"consent": False} if form.get("refused") else {}
        yield "claim", {"card": str(told.taken[0]), **refused}
    if form.get("late"):
        yield "laid_before_drawing", True
    if told.glass is not None:
        yield "glass", [{"kind": "group", "rank": "A"}] * told.glass
    if told.ended:
        yield "knock", told.ended == "knock"
    if form.get("hirschn") and told.ended:
        yield "hirschn", True
    if told.discarded is not None:
        yield "discard", write_cards(told.discarded)
        left = whole(form.get("hand_left", ""))
        if isinstance(left, int):
            yield "hand_left", min(left, 99)
        if form.get("same"):
            yield "discard_is_drawn", form["same"] == "yes"


def _table(told: Told, form: Fields, rules: RuleSet) -> dict[str, Any]:
    """The table before the turn and its moves: what needs no gained joker is laid first."""
    melded, swapped, laid_off = told.melded or [], told.swapped or [], told.laid_off or []
    plain = [meld for meld in melded if not swapped or not any(card.is_joker for card in meld)]
    others = [meld for meld in melded if meld not in plain]
    order = [*plain, *others]
    before: list[Move] = []
    for move in (*swapped, *laid_off):
        if _place(move.on, before, order) is None:
            before.append(move)
    steps = [{"move": "lay", "cards": write_cards(meld)} for meld in plain]
    numbers = [*range(len(before)), *range(len(before), len(before) + len(order))]
    gained: list[Card] = []
    late = [{"move": "lay", "cards": write_cards(meld)} for meld in others]
    for move in swapped:
        number = numbers[_place(move.on, before, order) or 0]
        steps.append({"move": "swap", "cards": write_cards(move.card), "meld": number})
        gained += [_joker_for(card, move.on) for card in move.card]
    steps += late
    for move in laid_off:
        number = numbers[_place(move.on, before, order) or 0]
        for card in _in_order(move, rules):
            steps.append({"move": "lay_off", "cards": [str(card)], "meld": number})
    to_hand = gained if form.get("joker_to_hand") else []
    used = Counter(card.physical for meld in melded for card in meld)
    used += Counter(card.physical for move in (*swapped, *laid_off) for card in move.card)
    if not to_hand:
        used -= Counter(gained)
    return {
        "before": [{"cards": write_cards(move.on), "own": move.own} for move in before],
        "hand_used": write_cards(tuple(used.elements())),
        "to_hand": write_cards(tuple(to_hand)),
        "steps": steps,
    }


def _place(on: Cards, before: Sequence[Move], laid: Sequence[Cards]) -> int | None:
    """The number of the meld that is meant: one of the table, or one laid in this turn."""
    wanted = Counter(on)
    melds = [*(move.on for move in before), *laid]
    return next((i for i, meld in enumerate(melds) if Counter(meld) == wanted), None)


def _joker_for(card: Card, on: Cards) -> Card:
    """The wild card that stands for a card in a meld, a joker unless another is named."""
    return next((one.physical for one in on if one.stands_for == card.physical), JOKER)


def _in_order(move: Move, rules: RuleSet) -> Iterator[Card]:
    """Cards laid off in an order in which they fit; those that never do come last."""
    waiting = list(move.card)
    meld: Meld | None = None
    with suppress(RuleError):  # the referee says so
        meld = read_meld(move.on, rules)
    while meld and waiting:
        grown = next(filter(None, (_grown(meld, card, rules) for card in waiting)), None)
        if grown is None:
            break
        card, meld = grown
        waiting.remove(card)
        yield card
    yield from waiting


def _grown(meld: Meld, card: Card, rules: RuleSet) -> tuple[Card, Meld] | None:
    try:
        return card, lay_off(meld, card, rules)
    except RuleError:
        return None


# ---- the verdict -----------------------------------------------------------------------


@dataclass(frozen=True)
class TurnRuling:
    """What the rules say to the answers as they are now."""

    told: Told
    steps: tuple[str, ...]
    question: TurnQuestion | None = None
    findings: tuple[Problem, ...] = ()
    faults: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether the turn breaks a rule; remarks alone break none."""
        return has_errors(self.findings)

    @property
    def is_whole(self) -> bool:
        """Whether every question is answered."""
        return all(map(self.told.answered, self.steps))

    @property
    def open_step(self) -> str:
        """The question that is asked now: the first that is not answered or not understood."""
        return next((step for step in self.steps if not self.told.answered(step)), "")

    @property
    def may_be_twins(self) -> bool:
        """Whether only the players know if the discard is the card that was drawn."""
        said = {problem.code for problem in self.findings}
        return bool(said & {"W_RETURNED", "E_RETURNED"}) and self._has_twins

    @property
    def _has_twins(self) -> bool:
        return self.question is not None and self.question.rules.deck.packs > 1

    @property
    def instead_of_all(self) -> list[Instead]:
        """What would be allowed instead, each thing once."""
        if self.question is None:
            return []
        turn, rules = self.question.turn, self.question.rules
        said = (one for problem in self.findings for one in remedies(problem, turn, rules))
        return list(dict.fromkeys(said))


def judge_turn(rules: RuleSet, form: Fields, players: int | None, lang: Language) -> TurnRuling:
    """Judge a turn as far as it is told."""
    told, steps = told_by(form, rules), steps_of(rules)
    if told.faults:
        return TurnRuling(told, steps, faults=_words(told.faults, lang))
    body = question_of(told, form, rules, players)
    if body is None:
        return TurnRuling(told, steps)
    try:
        question = TurnQuestion(rules, load(TurnQuestionSchema(), body).turn)
        return TurnRuling(told, steps, question, search_exactly(question.judge))
    except RuleError as error:
        return TurnRuling(told, steps, faults=_words({"": list(error.problems)}, lang))


def _words(faults: Mapping[str, Sequence[Problem]], lang: Language) -> dict[str, list[str]]:
    return {name: [lang.problem(one) for one in problems] for name, problems in faults.items()}
