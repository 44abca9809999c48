"""Strict in: JSON and fields that take nothing for something else.

Every refusal is a ``Problem`` with a reason that the catalogues word, never a sentence.
"""

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from marshmallow import Schema, ValidationError, fields, missing

from scorekeeper.domain.errors import Problem, RuleError, Where

MOST_DEPTH = 8
MOST_DIGITS = 18
"""Longer numbers fit no ledger and nobody's evening."""
MOST_PROBLEMS = 20
"""More than anybody reads; after these a hostile body is not looked at any further."""
MOST_PARTS = 4
"""No letter is spelled with more: an alpha with breathing, accent and iota."""


class FormError(RuleError):
    """What was sent does not have the form of anything that could be judged."""


class Malformed(FormError):
    """What was sent is not even JSON, or JSON that no two readers would read alike."""


# ---- JSON ----------------------------------------------------------------------------


def read_json(body: bytes, most_depth: int = MOST_DEPTH) -> Any:
    """The value of a JSON text.

    Refuses what Python's reader lets pass or dies of: repeated keys (which of the two
    counts?), NaN, numbers of thousands of digits, half characters, too many levels.
    """
    try:
        value = json.loads(
            body.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=_no_number,
        )
        if _depth(value) > most_depth:
            raise RecursionError
    except RecursionError:
        raise Malformed("E_FORM", why="too_deep", most=most_depth) from None
    except Malformed:
        raise
    except ValueError:  # also what is not UTF-8
        raise Malformed("E_FORM", why="json") from None
    return value


def read_word(text: str) -> object:
    """A value as it is typed, JSON or a word: ``50``, ``true``, ``1/10``, ``hand``.

    A decimal stays a word: only as it was written is it exact.
    """
    try:
        value = read_json(text.encode())
    except Malformed:
        return text
    return text if isinstance(value, float) else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise Malformed("E_FORM", why="duplicate", name=shown(twice))
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(digits[:MOST_DIGITS])
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits[:MOST_DIGITS])
    return number


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def shown(text: str) -> str:
    """What was sent, short enough and whole enough to be shown in a message."""
    return text[:40].encode("utf-8", "replace").decode()


# ---- fields --------------------------------------------------------------------------

WHYS: dict[str, str | list[Any] | dict[Any, Any]] = {"required": "missing", "null": "type"}


def refuse(why: str, code: str = "E_FORM", **facts: object) -> NoReturn:
    """Say why a value does not have the right form; the schema adds the place."""
    raise ValidationError([Problem(code, {"why": why, **facts})])


class Flaws(list[Problem]):
    """What is wrong with the values of an object or of a list."""

    def add(self, error: ValidationError, place: str | int) -> None:
        """One value is wrong; whoever sends many that are is told of the first ones."""
        self += _flat(error.messages, (place,))
        if len(self) >= MOST_PROBLEMS:
            self.tell()

    def tell(self) -> None:
        """Refuse the object or the list if anything in it is wrong."""
        if self:
            raise ValidationError(self)


class Whole(fields.Integer):
    """A whole number in a range, and nothing that merely looks like one: not 1.0, "1", true."""

    default_error_messages = WHYS

    def __init__(self, least: int, most: int, *, code: str = "E_FORM", **more: Any) -> None:
        super().__init__(metadata={"minimum": least, "maximum": most}, **more)
        self.least, self.most, self.code = least, most, code

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> int:
        if type(value) is not int:
            refuse("type", self.code, least=self.least, most=self.most)
        if not self.least <= value <= self.most:
            refuse("range", self.code, least=self.least, most=self.most, value=value)
        return value


class Flag(fields.Boolean):
    """true or false."""

    default_error_messages = WHYS

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> bool:
        if not isinstance(value, bool):
            refuse("type")
        return value


class Choice(fields.String):
    """One of a few words."""

    default_error_messages = WHYS

    def __init__(self, *words: str, **more: Any) -> None:
        super().__init__(metadata={"enum": list(words)}, **more)
        self.words = words

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if value not in self.words:
            refuse("choice", allowed=self.words)
        return str(value)


class Line(fields.String):
    """One line of text as people write it, in one spelling (NFC).

    No control characters, nothing invisible and nothing that turns the direction of
    reading: what is shown must be what is there.
    """

    default_error_messages = WHYS

    def __init__(self, least: int, most: int, **more: Any) -> None:
        super().__init__(metadata={"minLength": least, "maxLength": most}, **more)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type")
        text = value.strip()
        if len(text) <= MOST_PARTS * self.most:  # bringing n marks in order takes n squared
            text = unicodedata.normalize("NFC", text)
        if not self.least <= len(text) <= self.most:
            refuse("length", least=self.least, most=self.most)
        if not text.isprintable():
            refuse("text")
        return text


class Several(fields.List[Any]):
    """A list of limited length."""

    default_error_messages = WHYS

    def __init__(self, inner: fields.Field[Any], least: int, most: int, **more: Any) -> None:
        super().__init__(inner, metadata={"minItems": least, "maxItems": most}, **more)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> list[Any]:
        if not isinstance(value, list):
            refuse("type")
        if not self.least <= len(value) <= self.most:
            refuse("length", least=self.least, most=self.most)
        found: list[Any] = []
        flaws = Flaws()
        for place, one in enumerate(value):
            try:
                found.append(self.inner.deserialize(one))
            except ValidationError as error:
                flaws.add(error, place)
        flaws.tell()
        return found


class Part(fields.Nested):
    """An object inside another; what the rules refuse in it is told with its place."""

    default_error_messages = WHYS

    def _deserialize(self, value: Any, attr: Any, data: Any, *_: Any, **__: Any) -> Any:
        try:
            return self.schema.load(value)
        except RuleError as error:
            raise ValidationError(list(error.problems)) from None


class Strict(Schema):
    """Refuses every key that it does not know; what is not there takes no time.

    A round has six seats of fifteen facts, of which one or two are stated. ``made`` stands
    in for the hooks of marshmallow, which are not called.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._known = {field.data_key or name: field for name, field in self.fields.items()}
        self._needed = {
            key: missing
            for key, field in self._known.items()
            if field.required or field.load_default is not missing
        }

    def load(self, data: Any, **_: Any) -> Any:
        """What the body says; ValidationError with its flaws."""
        if not isinstance(data, dict):
            refuse("type")
        found, flaws = {}, Flaws()
        for key, stated in (self._needed | data).items():
            try:
                field = self._known.get(key) or refuse("unknown")
                found[str(field.name)] = field.deserialize(stated, key, data)
            except ValidationError as error:
                flaws.add(error, shown(key))
        flaws.tell()
        return self.made(found)

    def made(self, found: dict[str, Any]) -> Any:
        """What the values make together."""
        return found


# ---- loading -------------------------------------------------------------------------


def load(schema: Schema, body: object) -> Any:
    """What a schema makes of a body; FormError with the flaws that it found."""
    try:
        return schema.load(body)  # type: ignore[arg-type]  # what is no object is refused
    except ValidationError as error:
        raise form_error(error.messages) from None


def form_error(messages: object) -> FormError:
    """The tree of messages of marshmallow as a list of problems with their places."""
    problems = tuple(_flat(messages, ()))[:MOST_PROBLEMS]
    found = FormError(problems[0].code)
    found.problems = problems
    return found


def _flat(messages: object, place: Where) -> Iterator[Problem]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _flat(inner, (*place, key))
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flat(inner, place)
    elif isinstance(messages, Problem):
        yield messages.under(*place)
    else:
        yield Problem("E_FORM", {"why": messages}, place)
