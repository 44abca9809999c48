"""The stored form of rounds and scores: compact JSON values, without sentences.

Events hold a round and its score side by side, so that a later correction of the code does
not affect old evenings. Decoding trusts its input: imported data passes through
``wire.rounds`` and ``score_check`` first.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

from scorekeeper.domain.cards.card import Card, Rank, Suit, card_named
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds.facts import (
    Drawn,
    Glass,
    Hirschn,
    LayOff,
    MeldRef,
    Round,
    RoundScore,
    ScoreLine,
    Seat,
    SeatScore,
    Swap,
)

# ---- rounds --------------------------------------------------------------------------


def encode_round(facts: Round) -> dict[str, Any]:
    """Return the facts of a round as JSON values, without facts not stated."""
    stored: dict[str, Any] = _ROUND.encode(facts)
    return stored


def decode_round(stored: Mapping[str, Any]) -> Round:
    """Return the round that ``encode_round`` was given."""
    facts: Round = _ROUND.decode(stored)
    return facts


Made = TypeVar("Made")


class _Codec(NamedTuple):
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def _list_of(item: _Codec) -> _Codec:
    return _Codec(
        lambda items: list(map(item.encode, items)),
        lambda stored: tuple(map(item.decode, stored)),
    )


def _object(of: type, **codecs: _Codec) -> _Codec:
    """Return the codec of a dataclass, which omits fields with their default."""
    defaults = {field.name: field.default for field in fields(of)}
    known = {name: codecs.get(name) for name in defaults}

    def encode(value: object) -> dict[str, Any]:
        stored = {}
        for name, part in vars(value).items():
            if part != defaults.get(name, part):  # cached properties have no default
                codec = known[name]
                stored[name] = codec.encode(part) if codec else part
        return stored

    def decode(stored: Mapping[str, Any]) -> object:
        parts = {
            name: codec.decode(part) if (codec := known[name]) else part
            for name, part in stored.items()
        }
        return with_fields(of, parts)

    return _Codec(encode, decode)


def with_fields(of: type[Made], parts: Mapping[str, Any]) -> Made:
    """Return an instance of a frozen dataclass, several times as fast as its constructor.

    Omitted fields are found in the class, which holds the defaults.
    """
    value = object.__new__(of)
    vars(value).update(parts)
    return value


def _encode_drawn(drawn: Drawn) -> dict[str, str]:
    return {"from": drawn.source} | ({"card": str(drawn.card)} if drawn.card else {})


def _decode_drawn(stored: Mapping[str, str]) -> Drawn:
    return Drawn(stored["from"], card_named(stored["card"]) if "card" in stored else None)  # type: ignore[arg-type]


_CARD = _Codec(str, card_named)
_CARDS = _list_of(_CARD)
_MELDS = _list_of(_CARDS)
_REF = _object(MeldRef)
_DISCARD = _Codec(
    lambda cards: str(cards[0]) if cards else None,
    lambda name: (card_named(name),) if name else (),
)
_SEAT = _object(
    Seat,
    hand=_CARDS,
    rest=_CARDS,
    first_meld=_MELDS,
    melds=_MELDS,
    layoffs=_list_of(_object(LayOff, card=_CARD, meld=_REF)),
    swaps=_list_of(_object(Swap, card=_CARD, meld=_REF)),
    discard=_DISCARD,
)
_GLASS = _object(
    Glass,
    rank=_Codec(lambda rank: rank.letter, {rank.letter: rank for rank in Rank}.__getitem__),
    suit=_Codec(lambda suit: suit.value, Suit),
    pile=_CARDS,
)
_ROUND = _object(
    Round,
    seats=_list_of(_SEAT),
    oklahoma_card=_CARD,
    rejoin=_Codec(list, tuple),
    order=_Codec(list, tuple),
    wild=_CARD,
    drawn=_Codec(_encode_drawn, _decode_drawn),
    hirschn=_object(Hirschn),
    glass=_list_of(_GLASS),
    plan_row=_Codec(
        lambda row: list(row) if isinstance(row, tuple) else row,
        lambda row: tuple(row) if isinstance(row, list) else row,
    ),
)

# ---- facts ---------------------------------------------------------------------------

CARD_FACTS = ("card", "cards", "melds", "laid_off")
"""Facts that are cards, or lists of cards."""


def plain(value: object) -> Any:
    """Return a fact as JSON: cards in canonical notation, exact numbers as text."""
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
    """Return facts as JSON values."""
    return {name: plain(value) for name, value in facts.items()}


def facts_of(stored: Mapping[str, Any]) -> dict[str, object]:
    """Return facts from JSON values; those named in CARD_FACTS become cards."""
    return {name: _cards(value) if name in CARD_FACTS else value for name, value in stored.items()}


def _cards(value: Any) -> Card | tuple[Any, ...]:
    return card_named(value) if isinstance(value, str) else tuple(map(_cards, value))


# ---- scores --------------------------------------------------------------------------


def encode_score(score: RoundScore) -> dict[str, Any]:
    """Return the score of a round as JSON values, without zero or empty values."""
    return {
        "outcome": score.outcome,
        "winner": score.winner,
        "mark": score.verification,
        "scores": [_encode_points(points) for points in score.scores],
        "lines": [_encode_line(line) for line in score.lines],
        "warnings": [
            {"code": w.code, "facts": plain_facts(w.facts), "path": list(w.path)}
            for w in score.warnings
        ],
    }


def decode_score(stored: Mapping[str, Any]) -> RoundScore:
    """Return the score that ``encode_score`` was given."""
    return RoundScore(
        outcome=stored["outcome"],
        winner=stored["winner"],
        verification=stored["mark"],
        scores=tuple(None if points is None else SeatScore(*points) for points in stored["scores"]),
        lines=tuple(
            with_fields(ScoreLine, {**line, "facts": facts_of(line.get("facts", {}))})
            for line in stored["lines"]
        ),
        warnings=tuple(
            Problem(w["code"], facts_of(w["facts"]), tuple(w["path"])) for w in stored["warnings"]
        ),
    )


def _encode_points(points: SeatScore | None) -> list[int | None] | None:
    if points is None:
        return None
    return [points.minus, points.plus, points.reduction, points.league]


def _encode_line(line: ScoreLine) -> dict[str, Any]:
    amounts = {"minus": line.minus, "plus": line.plus, "reduction": line.reduction}
    stored: dict[str, Any] = {"seat": line.seat, "reason": line.reason}
    stored |= {name: amount for name, amount in amounts.items() if amount}
    return stored | ({"facts": plain_facts(line.facts)} if line.facts else {})
