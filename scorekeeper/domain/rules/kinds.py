"""The types and ranges of option values: reading, writing and describing them.

``read`` raises ``ValueError`` for a value outside the range and for one of another type:
``1.0``, ``"1"`` and ``True`` are not integers.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

UNFIT = (ValueError, TypeError, OverflowError)
"""What reading a value of another type or range raises."""


class Kind(Protocol):
    """The type and range of an option."""

    def read(self, value: object) -> Any:
        """Return the value in code, from its JSON form or from itself."""

    def write(self, value: Any) -> object:
        """Return the JSON form, without floats."""

    def describe(self) -> dict[str, object]:
        """Return the range as a JSON Schema."""


MOST_SHOWN = 40
"""The letters of a value that are shown in a message."""


def shown(value: object) -> str:
    """Return the beginning of a value for a message: a text as it is, all others as JSON."""
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    text = value.encode("utf-8", "replace").decode()
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def unfit(kind: Kind, value: object, error: Exception) -> dict[str, object]:
    """Return the facts of a value that is not of a kind: its part that was refused.

    ``sent`` is added if only its type is wrong: a text that should be a number or true or false,
    or a number that should be a text.
    """
    part = error.args[0] if type(error) is ValueError else value
    facts: dict[str, object] = {"value": shown(part), "allowed": kind.describe()}
    if isinstance(value, str) and len(value) <= MOST_SHOWN and _is_of(kind, _of_json(value)):
        return facts | {"sent": "text"}
    if type(value) in (int, float) and _is_of(kind, str(value)):
        return facts | {"sent": "number"}
    return facts


def _of_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_of(kind: Kind, value: object) -> bool:
    try:
        kind.read(value)
    except UNFIT:
        return False
    return True


class Plain:
    """A kind whose value is the same in code and in JSON."""

    def write(self, value: Any) -> object:
        return value


@dataclass(frozen=True)
class Flag(Plain):
    """True or false."""

    def read(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(value)
        return value

    def describe(self) -> dict[str, object]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Whole(Plain):
    """An integer from ``low`` to ``high``, or None if ``optional``."""

    low: int
    high: int
    optional: bool = False

    def read(self, value: object) -> int | None:
        if value is None and self.optional:
            return None
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(value)
        return value

    def of(self, value: object) -> int:
        """Return the same as ``read``, which is no None here."""
        number = self.read(value)
        if number is None:
            raise ValueError(value)
        return number

    def describe(self) -> dict[str, object]:
        kind: object = ["integer", "null"] if self.optional else "integer"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Choice(Plain):
    """One of a few words or integers."""

    values: tuple[str | int, ...]

    def read(self, value: object) -> str | int:
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        raise ValueError(value)

    def describe(self) -> dict[str, object]:
        return {"enum": list(self.values)}


@dataclass(frozen=True)
class Text(Plain):
    """A short text."""

    most: int

    def read(self, value: object) -> str:
        if not isinstance(value, str) or len(value) > self.most or not value.isprintable():
            raise ValueError(value)
        return value.strip()

    def describe(self) -> dict[str, object]:
        return {"type": "string", "maxLength": self.most}


MAX_DIGITS = 12


@dataclass(frozen=True)
class Exact:
    """An exact number, written as text: ``"1/10"``, ``"0.1"``, ``"1"``; numbers are refused."""

    positive: bool = False
    optional: bool = False

    def read(self, value: object) -> Fraction | None:
        if value is None and self.optional:
            return None
        if isinstance(value, Fraction):
            number = value
        elif isinstance(value, str) and len(value) <= 2 * MAX_DIGITS:
            number = _fraction(value)
        else:
            raise ValueError(value)
        if number < 0 or (self.positive and number == 0) or number.numerator > 10**MAX_DIGITS:
            raise ValueError(value)
        return number

    def write(self, value: Fraction | None) -> object:
        return None if value is None else str(value)

    def describe(self) -> dict[str, object]:
        kind: object = ["string", "null"] if self.optional else "string"
        above = {"exclusiveMinimum": 0} if self.positive else {}
        pattern = r"^\d+(/\d+|\.\d+)?$"
        return {"type": kind, "pattern": pattern, **above, "examples": ["1/10", "0.1"]}


def _fraction(text: str) -> Fraction:
    whole, slash, below = text.partition("/")
    digits = (whole, below) if slash else text.split(".", 1)
    if not all(part.isascii() and part.isdigit() for part in digits):
        raise ValueError(text)  # Fraction also accepts signs, spaces and exponents
    if slash and int(below) == 0:
        raise ValueError(text)
    return Fraction(text)


@dataclass(frozen=True)
class Numbers:
    """A fixed number of integers."""

    length: int
    low: int
    high: int

    def read(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, (list, tuple)) or len(value) != self.length:
            raise ValueError(value)
        each = Whole(self.low, self.high)
        return tuple(each.read(number) or 0 for number in value)

    def write(self, value: tuple[int, ...]) -> object:
        return list(value)

    def describe(self) -> dict[str, object]:
        item = Whole(self.low, self.high).describe()
        return {"type": "array", "items": item, "minItems": self.length, "maxItems": self.length}


MAX_PLAYERS = 8
PLAYERS = range(2, MAX_PLAYERS + 1)


@dataclass(frozen=True)
class Deal:
    """The cards dealt: one number, or one for each number of players present.

    In code it is always a mapping; a number that applies to all tables has the key 0.
    """

    EACH = Whole(3, 16)

    def read(self, value: object) -> Mapping[int, int]:
        if not isinstance(value, Mapping):
            return {0: self.EACH.read(value) or 0}
        return _by_players(value, self.EACH)

    def write(self, value: Mapping[int, int]) -> object:
        return value[0] if 0 in value else {str(players): n for players, n in value.items()}

    def describe(self) -> dict[str, object]:
        return _one_or_by_players(self.EACH)


class ByPlayers(int):
    """A number that depends on how many play. As an int it is the most of all tables."""

    at: Mapping[int, int]
    """The number by how many play."""

    def __new__(cls, at: Mapping[int, int]) -> "ByPlayers":
        number = super().__new__(cls, max(at.values()))
        number.at = at
        return number

    def __reduce__(self) -> tuple[type, tuple[Mapping[int, int]]]:
        return ByPlayers, (self.at,)  # so that rules can be sent to other processes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByPlayers) and self.at == other.at

    def __ne__(self, other: object) -> bool:
        return not self == other  # an int has its own

    def __hash__(self) -> int:
        return hash(tuple(self.at.items()))


def at_table(number: int, present: int) -> int:
    """Return what a number is where so many play."""
    return number.at.get(present, int(number)) if isinstance(number, ByPlayers) else number


@dataclass(frozen=True)
class PerTable:
    """An integer from ``low`` to ``high``, or one for each number of players."""

    low: int
    high: int

    def read(self, value: object) -> int:
        each = Whole(self.low, self.high)
        if isinstance(value, ByPlayers):
            value = value.at
        return ByPlayers(_by_players(value, each)) if isinstance(value, Mapping) else each.of(value)

    def write(self, value: int) -> object:
        if isinstance(value, ByPlayers):
            return {str(players): number for players, number in value.at.items()}
        return value

    def describe(self) -> dict[str, object]:
        return _one_or_by_players(Whole(self.low, self.high))


def _by_players(value: Mapping[Any, object], each: Whole) -> Mapping[int, int]:
    """Return numbers by how many play; the key 0 stands alone, for any number."""
    if any(not str(players).isdecimal() for players in value):
        raise ValueError(value)
    numbers = {int(players): each.of(number) for players, number in value.items()}
    if not numbers or not set(numbers) <= ({0} if 0 in numbers else set(PLAYERS)):
        raise ValueError(value)
    return dict(sorted(numbers.items()))


def _one_or_by_players(each: Whole) -> dict[str, object]:
    number = each.describe()
    by_players = {
        "type": "object",
        "patternProperties": {f"^[{PLAYERS[0]}-{PLAYERS[-1]}]$": number},
        "additionalProperties": False,
    }
    return {"oneOf": [number, by_players]}
