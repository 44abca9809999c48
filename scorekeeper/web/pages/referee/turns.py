"""The turn in the referee: its questions in order, and the verdict.

The answers become the same request body that the API takes (wire/referee.py), so page and
API cannot disagree. An empty field is unanswered; "nothing" is an answer of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.domain.cards.card import JOKER, Card
from scorekeeper.domain.cards.notation import read_cards, write_cards
from scorekeeper.domain.errors import Problem, RuleError, has_errors
from scorekeeper.domain.melds import Meld, lay_off, read_meld
from scorekeeper.domain.referee.remedies import Instead, remedies
from scorekeeper.domain.referee.turn import draws_two
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.web.background import search_exactly
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.entry.fields import Fields, lines, notation_of
from scorekeeper.wire.referee import MAX_DRAWN, TurnQuestion, TurnQuestionSchema
from scorekeeper.wire.rounds import WHOLE_DECK
from scorekeeper.wire.strict import load

ROWS = 6
"""Rows for lay-offs and exchanges in one turn."""


def steps_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the questions that the rules leave open, in the order of a turn."""
    questions = {
        "drawn": True,
        "glass": rules.gin.glass,
        "ended": rules.family in ("gin", "knock"),
        "melded": True,
        "laid_off": rules.family == "lay" and rules.layoff.scope != "none",
        "swapped": rules.family == "lay" and rules.joker.swap != "none" and rules.has_wild_cards,
        "discarded": True,
    }
    return tuple(name for name, applies in questions.items() if applies)


def sources_of(rules: RuleSet) -> tuple[str, ...]:
    """Return where a card can have come from."""
    claim = ("claim",) if rules.klopfen.mode != "off" else ()
    return ("stock", "discard", "none", "more", *claim)


@dataclass(frozen=True)
class Move:
    """A card that was laid off or exchanged for a joker, and its meld."""

    card: Cards
    on: Cards
    own: bool = False


@dataclass
class TurnAnswers:
    """The answers as cards; ``None`` is unanswered, an empty list means "nothing"."""

    out_of_turn: bool = False
    source: str = ""
    taken: Cards = ()
    penalty: int | None = None
    """The cards drawn for a claim."""
    melded: list[Cards] | None = None
    laid_off: list[Move] | None = None
    swapped: list[Move] | None = None
    discarded: Cards | None = None
    glass: int | None = None
    ended: str = ""
    faults: dict[str, list[Problem]] = field(default_factory=dict)
    """Problems with reading the input, by field."""

    def answered(self, step: str) -> bool:
        """Return whether a question is answered, so that the page can fold it."""
        if step == "drawn":
            is_named = self.source not in ("discard", "claim") or bool(self.taken)
            return is_named and (bool(self.source) or self.out_of_turn)
        if step == "ended":
            return bool(self.ended)
        return getattr(self, step) is not None


def read_answers(form: Fields, rules: RuleSet) -> TurnAnswers:
    """Read the fields of a turn."""
    answers = TurnAnswers(out_of_turn=bool(form.get("out_of_turn")))

    def cards(name: str, text: str | None = None) -> Cards:
        try:
            return read_cards(form.get(name, "") if text is None else text, notation_of(form))[0]
        except RuleError as error:
            answers.faults.setdefault(name, []).extend(error.problems)
            return ()

    def moves(step: str) -> list[Move] | None:
        found = []
        for row in range(ROWS):
            card, on = cards(f"{step}_card_{row}"), cards(f"{step}_on_{row}")
            if card and on:
                found.append(Move(card, on, bool(form.get(f"{step}_own_{row}"))))
        return found or ([] if form.get(f"{step}_none") else None)

    answers.source = form.get("drawn", "") if form.get("drawn") in sources_of(rules) else ""
    answers.taken = cards("drawn_card")[:1] if answers.source in ("discard", "claim") else ()
    penalty = whole_or_none(form.get("penalty", ""))
    answers.penalty = None if penalty is None else min(penalty, MAX_DRAWN)
    melds = [meld for line in lines(form.get("melded", "")) if (meld := cards("melded", line))]
    answers.melded = melds or ([] if form.get("melded_none") else None)
    answers.laid_off, answers.swapped = moves("laid_off"), moves("swapped")
    discarded = cards("discarded")[:1]
    answers.discarded = discarded or (() if form.get("discarded_none") else None)
    answers.glass = whole_or_none(form.get("glass", ""))
    answers.ended = form.get("ended", "")
    return answers


# ---- the question ----------------------------------------------------------------------


def request_body(
    answers: TurnAnswers, form: Fields, rules: RuleSet, about: Mapping[str, Any]
) -> Any:
    """Return the request body for the referee, or None while there is nothing to judge.

    ``about`` is what is known about the round.
    """
    body = dict(_facts(answers, form, rules, about.get("players")))
    moved = (answers.melded, answers.laid_off, answers.swapped)
    if any(part is not None for part in moved):
        body |= _table(answers, form, rules)
    if not body:
        return None
    if answers.out_of_turn:
        body["in_turn"] = False
    body["has_laid"] = not form.get("first")
    return {**body, **about, "rules": rules}


def _facts(
    answers: TurnAnswers, form: Fields, rules: RuleSet, players: int | None
) -> Iterator[tuple[str, Any]]:
    """Yield what was drawn, claimed, called and discarded."""
    of_table = [step for step in steps_of(rules) if step in ("melded", "laid_off", "swapped")]
    settled = answers.discarded is not None or all(map(answers.answered, of_table))
    named = [{"card": str(card)} for card in answers.taken if settled or answers.source == "claim"]
    two, stock = draws_two(rules, players), {"from": "stock"}
    discard = {"from": "discard", **(named[0] if named else {})}
    drawn: Mapping[str, list[dict[str, str]]] = {
        "stock": [stock, stock] if two else [stock],
        "discard": [discard, stock, stock] if two else [discard],
        "none": [],
        "more": [stock] * (3 if two else 2),
    }
    if answers.source in drawn:
        yield "drawn", drawn[answers.source]
    elif answers.taken:
        refused = {"consent": False} if form.get("refused") else {}
        yield "claim", {"card": str(answers.taken[0]), **refused}
        if answers.penalty is not None:
            yield "drawn", [stock] * answers.penalty
    if form.get("late"):
        yield "laid_before_drawing", True
    if answers.glass is not None:
        yield "glass", [{"kind": "group", "rank": "A"}] * answers.glass
    if answers.ended:
        yield "knock", answers.ended == "knock"
    if form.get("hirschn") and answers.ended:
        yield "hirschn", True
    left = whole_or_none(form.get("hand_left", ""))
    if left is not None:
        yield "hand_left", min(left, WHOLE_DECK)
    if answers.discarded is not None:
        yield "discard", write_cards(answers.discarded)
        if form.get("same"):
            yield "discard_is_drawn", form["same"] == "yes"


def _table(answers: TurnAnswers, form: Fields, rules: RuleSet) -> dict[str, Any]:
    """Return the table before the turn and the moves; melds without gained jokers come first."""
    melded, swapped, laid_off = answers.melded or [], answers.swapped or [], answers.laid_off or []
    plain = [meld for meld in melded if not swapped or not any(card.is_joker for card in meld)]
    laid = [*plain, *(meld for meld in melded if meld not in plain)]
    before: list[Move] = []
    for move in (*swapped, *laid_off):
        if Counter(move.on) not in map(Counter, (*(one.on for one in before), *laid)):
            before.append(move)
    melds = [Counter(meld) for meld in (*(move.on for move in before), *laid)]
    lays = [{"move": "lay", "cards": write_cards(meld)} for meld in laid]
    swaps = [
        {"move": "swap", "cards": write_cards(move.card), "meld": melds.index(Counter(move.on))}
        for move in swapped
    ]
    lay_offs = [
        {"move": "lay_off", "cards": [str(card)], "meld": melds.index(Counter(move.on))}
        for move in laid_off
        for card in _in_order(move, rules)
    ]
    gained = [_joker_for(card, move.on) for move in swapped for card in move.card]
    to_hand = gained if form.get("joker_to_hand") else []
    used = Counter(card.physical for meld in melded for card in meld)
    used += Counter(card.physical for move in (*swapped, *laid_off) for card in move.card)
    if not to_hand:
        used -= Counter(gained)
    return {
        "before": [{"cards": write_cards(move.on), "own": move.own} for move in before],
        "hand_used": write_cards(tuple(used.elements())),
        "to_hand": write_cards(tuple(to_hand)),
        "steps": [*lays[: len(plain)], *swaps, *lays[len(plain) :], *lay_offs],
    }


def _joker_for(card: Card, on: Cards) -> Card:
    """Return the wild card that stands for a card in a meld; a joker unless another is named."""
    return next((one.physical for one in on if one.stands_for == card.physical), JOKER)


def _in_order(move: Move, rules: RuleSet) -> Iterator[Card]:
    """Yield cards laid off in an order in which they fit; those that never do come last."""
    waiting = list(move.card)
    meld: Meld | None = None
    with suppress(RuleError):  # the referee reports it
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
    """The verdict on the current answers."""

    answers: TurnAnswers
    steps: tuple[str, ...]
    question: TurnQuestion | None = None
    findings: tuple[Problem, ...] = ()
    faults: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether the turn breaks a rule; warnings alone do not."""
        return has_errors(self.findings)

    @property
    def is_whole(self) -> bool:
        """Whether every question is answered."""
        return not self.open_step

    @property
    def open_step(self) -> str:
        """The first question that is unanswered."""
        return next((step for step in self.steps if not self.answers.answered(step)), "")

    @property
    def may_be_twins(self) -> bool:
        """Whether only the players can know if the discard is the card that was drawn."""
        codes = {problem.code for problem in self.findings}
        several = self.question is not None and self.question.rules.deck.packs > 1
        return several and bool(codes & {"W_RETURNED", "E_RETURNED"})

    @property
    def alternatives(self) -> list[Instead]:
        """The moves that would have been allowed instead, each once."""
        if self.question is None:
            return []
        turn, rules = self.question.turn, self.question.rules
        found = (remedy for problem in self.findings for remedy in remedies(problem, turn, rules))
        return list(dict.fromkeys(found))


def judge_turn(
    rules: RuleSet, form: Fields, about: Mapping[str, Any], lang: Language
) -> TurnRuling:
    """Judge what is described of a turn; ``about`` is what is known about the round."""
    answers, steps = read_answers(form, rules), steps_of(rules)
    if answers.faults:
        return TurnRuling(answers, steps, faults=_words(answers.faults, lang))
    body = request_body(answers, form, rules, about)
    if body is None:
        return TurnRuling(answers, steps)
    try:
        question = load(TurnQuestionSchema(), body)
        return TurnRuling(answers, steps, question, search_exactly(question.judge))
    except RuleError as error:
        return TurnRuling(answers, steps, faults=_words({"": list(error.problems)}, lang))


def _words(faults: Mapping[str, Sequence[Problem]], lang: Language) -> dict[str, list[str]]:
    return {
        name: [lang.problem(problem) for problem in problems] for name, problems in faults.items()
    }
