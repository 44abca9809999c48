"""What values an option may take: read strictly, written plainly, described for a reader.

``read`` raises ``ValueError`` for anything outside the range, also for the wrong type:
``1.0``, ``"1"`` and ``True`` are no whole numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol


class Kind(Protocol):
    """The type and range of an option."""

    def read(self, value: object) -> Any:
        """The value in code, from its wire form or from itself."""

    def write(self, value: Any) -> object:
        """The wire form: JSON without floats."""

    def describe(self) -> dict[str, object]:
        """The range as a JSON Schema."""


class Plain:
    """A kind whose value looks the same in code and on the wire."""

    def write(self, value: Any) -> object:
        return value


@dataclass(frozen=True)
class Flag(Plain):
    """Yes or no."""

    def read(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(value)
        return value

    def describe(self) -> dict[str, object]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Whole(Plain):
    """A whole number from ``low`` to ``high``, or none where ``optional``."""

    low: int
    high: int
    optional: bool = False

    def read(self, value: object) -> int | None:
        if value is None and self.optional:
            return None
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(value)
        return value

    def describe(self) -> dict[str, object]:
        kind: object = ["integer", "null"] if self.optional else "integer"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Choice(Plain):
    """One of a few words or numbers."""

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


MOST_DIGITS = 12


@dataclass(frozen=True)
class Exact:
    """An exact number, written as text: ``"1/10"``, ``"0.1"``, ``"1"``; a number is refused."""

    positive: bool = False
    optional: bool = False

    def read(self, value: object) -> Fraction | None:
        if value is None and self.optional:
            return None
        if isinstance(value, Fraction):
            number = value
        elif isinstance(value, str) and len(value) <= 2 * MOST_DIGITS:
            number = _fraction(value)
        else:
            raise ValueError(value)
        if number < 0 or (self.positive and number == 0) or number.numerator > 10**MOST_DIGITS:
            raise ValueError(value)
        return number

    def write(self, value: Fraction | None) -> object:
        return None if value is None else str(value)

    def describe(self) -> dict[str, object]:
        kind: object = ["string", "null"] if self.optional else "string"
        return {"type": kind, "pattern": r"^\d+(/\d+|\.\d+)?$", "examples": ["1/10", "0.1"]}


def _fraction(text: str) -> Fraction:
    whole, slash, below = text.partition("/")
    digits = (whole, below) if slash else text.split(".", 1)
    if not all(part.isascii() and part.isdigit() for part in digits):
        raise ValueError(text)  # Fraction itself also reads signs, blanks and exponents
    if slash and int(below) == 0:
        raise ValueError(text)
    return Fraction(text)


@dataclass(frozen=True)
class Numbers:
    """A fixed number of whole numbers."""

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


@dataclass(frozen=True)
class Deal:
    """Cards dealt: one number, or one for each number of players present.

    In code always a mapping; one number for all is kept under 0.
    """

    EACH = Whole(6, 16)

    def read(self, value: object) -> Mapping[int, int]:
        if not isinstance(value, Mapping):
            return {0: self.EACH.read(value) or 0}
        dealt = {int(players): self.EACH.read(cards) or 0 for players, cards in value.items()}
        if not dealt or not set(dealt) <= ({0} if 0 in dealt else {2, 3, 4, 5, 6}):
            raise ValueError(value)
        return dict(sorted(dealt.items()))

    def write(self, value: Mapping[int, int]) -> object:
        return value[0] if 0 in value else {str(players): n for players, n in value.items()}

    def describe(self) -> dict[str, object]:
        number = self.EACH.describe()
        by_players = {
            "type": "object",
            "patternProperties": {"^[2-6]$": number},
            "additionalProperties": False,
        }
        return {"oneOf": [number, by_players]}
