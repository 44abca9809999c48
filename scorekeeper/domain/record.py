"""A score as it is kept: plain JSON values, short, without words.

The ledger keeps what a round was priced at, so that a later correction of the rules in
code leaves old evenings alone.
"""

from collections.abc import Mapping
from typing import Any

from scorekeeper.domain.cards import Card, card_named
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds import RoundScore, ScoreLine, SeatScore

CARD_FACTS = ("card", "cards", "melds", "laid_off")
"""Facts that are cards, or lists of cards."""


def plain(value: object) -> Any:
    """A fact as JSON: cards in canonical notation, exact numbers as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if type(value) is Card:
        return str(value)
    if isinstance(value, (tuple, list, range)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)


def plain_facts(facts: Mapping[str, object]) -> dict[str, Any]:
    """Facts as JSON values."""
    return {name: plain(value) for name, value in facts.items()}


def facts_of(stored: Mapping[str, Any]) -> dict[str, object]:
    """Facts from JSON values: what is called by a name of CARD_FACTS is cards again."""
    return {name: _cards(value) if name in CARD_FACTS else value for name, value in stored.items()}


def _cards(value: Any) -> Card | tuple[Any, ...]:
    return card_named(value) if isinstance(value, str) else tuple(map(_cards, value))


def score_stored(score: RoundScore) -> dict[str, Any]:
    """The price of a round as JSON values; what is zero or empty is left out."""
    return {
        "outcome": score.outcome,
        "winner": score.winner,
        "mark": score.mark,
        "scores": [_points_stored(points) for points in score.scores],
        "lines": [_line_stored(line) for line in score.lines],
        "warnings": [
            {"code": w.code, "facts": plain_facts(w.facts), "path": list(w.path)}
            for w in score.warnings
        ],
    }


def score_kept(stored: Mapping[str, Any]) -> RoundScore:
    """The price of a round from its JSON values."""
    return RoundScore(
        outcome=stored["outcome"],
        winner=stored["winner"],
        mark=stored["mark"],
        scores=tuple(None if points is None else SeatScore(*points) for points in stored["scores"]),
        lines=tuple(
            ScoreLine(**{**line, "facts": facts_of(line.get("facts", {}))})
            for line in stored["lines"]
        ),
        warnings=tuple(
            Problem(w["code"], facts_of(w["facts"]), tuple(w["path"])) for w in stored["warnings"]
        ),
    )


def _points_stored(points: SeatScore | None) -> list[int | None] | None:
    if points is None:
        return None
    return [points.minus, points.plus, points.reduction, points.league]


def _line_stored(line: ScoreLine) -> dict[str, Any]:
    amounts = {"minus": line.minus, "plus": line.plus, "reduction": line.reduction}
    stored: dict[str, Any] = {"seat": line.seat, "reason": line.reason}
    stored |= {name: amount for name, amount in amounts.items() if amount}
    return stored | ({"facts": plain_facts(line.facts)} if line.facts else {})
