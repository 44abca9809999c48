"""Strict JSON, and marshmallow fields that convert nothing silently.

An error is a ``Problem`` with a reason that the catalogues put into words, never a sentence.
"""

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn, cast

from marshmallow import Schema, ValidationError, fields, pre_load
from marshmallow.exceptions import SCHEMA

from scorekeeper.domain.errors import Problem, RuleError, Where

MAX_DEPTH = 8
MAX_DIGITS = 18
"""Longer numbers are never valid here."""
MAX_KEY = 100
"""The length of an idempotency key."""
MAX_PROBLEMS = 20
"""Errors reported at most."""
MAX_PARTS = 4
"""No letter needs more code points: an alpha with breathing, accent and iota."""


def is_key(text: str) -> bool:
    """Return whether this can be an idempotency key: short plain text."""
    return 0 < len(text) <= MAX_KEY and text.isascii() and text.isprintable()


class FormError(RuleError):
    """The input does not have the required form."""


class Malformed(FormError):
    """The input is not JSON, or JSON that readers could interpret differently."""


# ---- JSON ----------------------------------------------------------------------------


def read_json(body: bytes, most_depth: int = MAX_DEPTH) -> Any:
    """Return the value of a JSON text.

    Refuses what Python's reader accepts or fails on: repeated keys, NaN, numbers with thousands
    of digits, unpaired surrogates, deep nesting.
    """
    try:
        value = _DECODER.decode(body.decode("utf-8-sig"))
        if _is_deeper(value, most_depth):
            raise RecursionError
    except RecursionError:
        raise Malformed("E_FORM", why="too_deep", most=most_depth) from None
    except Malformed:
        raise
    except ValueError:  # also not UTF-8
        raise Malformed("E_FORM", why="json") from None
    return value


def read_word(text: str) -> object:
    """Return a typed value, JSON or a word: ``50``, ``true``, ``1/10``, ``hand``.

    A decimal stays a word, because only its text is exact.
    """
    try:
        value = read_json(text.encode())
    except Malformed:
        return text
    return text if isinstance(value, float) else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise Malformed("E_FORM", why="duplicate", name=excerpt(twice))
    return value


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(digits[:MAX_DIGITS])
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits[:MAX_DIGITS])
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_whole,
    parse_float=_decimal,
    parse_constant=int,  # ValueError: NaN and Infinity are no numbers of JSON
)


def _is_deeper(value: object, most: int) -> bool:
    """Return whether objects and arrays are nested more than ``most`` levels deep."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(most):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
    return bool(level)


def excerpt(text: str) -> str:
    """Return the beginning of an input, safe to show in a message."""
    return text[:40].encode("utf-8", "replace").decode()


# ---- fields --------------------------------------------------------------------------

Reasons = dict[str, str | list[Any] | dict[Any, Any]]


def reasons(expected: str) -> Reasons:
    """Return the errors of form of a field, by marshmallow's names; ``expected`` is its type."""
    return {"required": "missing", "null": [no_type(expected)]}


def no_type(expected: str) -> Problem:
    """Return the finding about a value of another type, such as ``integer`` or ``array``."""
    return Problem("E_FORM", {"why": "type", "expected": expected})


def refuse(why: str, code: str = "E_FORM", **facts: object) -> NoReturn:
    """Raise an error of form; the schema adds the path."""
    raise ValidationError([Problem(code, {"why": why, **facts})])


def require_one(
    changes: Collection[str], sent: Mapping[str, object], allowed: Iterable[str]
) -> None:
    """Refuse a body without a change, or with several: each is one entry of the history."""
    if not changes:
        refuse("no_change", allowed=tuple(allowed))
    if len(changes) > 1:
        refuse("one_at_a_time", names=tuple(sent))


class Whole(fields.Integer):
    """A whole number in a range; 1.0, "1" and true are not whole numbers."""

    default_error_messages = reasons("integer")

    def __init__(
        self, least: int, most: int, *, code: str = "E_FORM", why: str = "type", **more: Any
    ) -> None:
        super().__init__(metadata={"minimum": least, "maximum": most}, **more)
        self.least, self.most, self.code, self.why = least, most, code, why

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> int:
        if type(value) is not int:
            facts = {"least": self.least, "most": self.most, "expected": "integer"}
            refuse(self.why, self.code, **facts)
        if not self.least <= value <= self.most:
            refuse("range", self.code, least=self.least, most=self.most, value=value)
        return value


class Flag(fields.Boolean):
    """true or false."""

    default_error_messages = reasons("boolean")

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> bool:
        if not isinstance(value, bool):
            refuse("type", expected="boolean")
        return value


class Choice(fields.String):
    """One of a few words."""

    default_error_messages = reasons("string")

    def __init__(self, *words: str, **more: Any) -> None:
        super().__init__(metadata={"enum": list(words)}, **more)
        self.words = words

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if value not in self.words:
            refuse("choice", allowed=self.words)
        return str(value)


class ShortText(fields.String):
    """A short text in one Unicode spelling (NFC).

    Control characters, invisible characters and changes of the writing direction are refused,
    so that what is shown is what is stored.
    """

    default_error_messages = reasons("string")

    def __init__(self, least: int, most: int, **more: Any) -> None:
        super().__init__(metadata={"minLength": least, "maxLength": most}, **more)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type", expected="string")
        text = value.strip()
        if len(text) <= MAX_PARTS * self.most:  # normalising n combining marks takes n squared
            text = unicodedata.normalize("NFC", text)
        if not self.least <= len(text) <= self.most:
            refuse("length", least=self.least, most=self.most)
        if not text.isprintable():
            refuse("text")
        return text


class ListOf(fields.List[Any]):
    """A list of limited length."""

    default_error_messages = reasons("array")

    def __init__(self, inner: fields.Field[Any], least: int, most: int, **more: Any) -> None:
        super().__init__(inner, metadata={"minItems": least, "maxItems": most}, **more)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> list[Any]:
        if not isinstance(value, list):
            refuse("type", expected="array")
        if not self.least <= len(value) <= self.most:
            refuse("length", least=self.least, most=self.most)
        return super()._deserialize(value, attr, data, **more)


class NestedObject(fields.Nested):
    """A nested object; errors of the rules in it get its path.

    Whether its own fields are required does not depend on the object around it.
    """

    default_error_messages = reasons("object")

    def _deserialize(self, value: Any, attr: Any, data: Any, *_: Any, **__: Any) -> Any:
        try:
            return super()._deserialize(value, attr, data)
        except RuleError as error:
            raise ValidationError(list(error.problems)) from None


class StrictSchema(Schema):
    """A schema whose errors are reasons, like the errors of its fields."""

    error_messages = cast(  # marshmallow passes on what it finds here
        dict[str, str], {"type": no_type("object"), "unknown": "unknown"}
    )

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        """Put unknown keys in the order in which they were sent; marshmallow has them in a set."""
        messages = cast(dict[str, Any], error.messages)
        keys = (field.data_key or name for name, field in self.fields.items())
        sent = data if isinstance(data, Mapping) else ()
        order = dict.fromkeys((*keys, *sent, *messages))
        error.messages = {key: messages[key] for key in order if key in messages}


class FactsSchema(StrictSchema):
    """A schema of facts, of which many are missing; null says that there is none.

    It is like an absent key, unless the field itself tells null apart, such as no cards from
    unknown ones.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.like_absent = {
            field.data_key or name
            for name, field in self._declared_fields.items()
            if not field.required and not field.allow_none
        }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Let every optional field be null, also in the description."""
        if field_obj.required or field_obj.allow_none:
            return
        field_obj.allow_none = True
        if words := field_obj.metadata.get("enum"):
            field_obj.metadata = {**field_obj.metadata, "enum": [*words, None]}

    @pre_load
    def leave_out(self, data: Any, **_: Any) -> Any:
        """Return the facts without those that there are none of."""
        if not isinstance(data, Mapping) or None not in data.values():
            return data
        return {
            name: fact
            for name, fact in data.items()
            if fact is not None or name not in self.like_absent
        }


# ---- loading -------------------------------------------------------------------------


def load(schema: Schema, body: object) -> Any:
    """Load a body with a schema; FormError with all errors."""
    try:
        return schema.load(body)  # type: ignore[arg-type]  # anything but an object is refused
    except ValidationError as error:
        raise form_error(error.messages) from None


def form_error(messages: object) -> FormError:
    """Return marshmallow's messages as problems with paths."""
    problems = tuple(islice(_flat(messages, ()), MAX_PROBLEMS))
    error = FormError(problems[0].code)
    error.problems = problems
    return error


def _flat(messages: object, place: Where) -> Iterator[Problem]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _flat(inner, place if key == SCHEMA else (*place, _step(key)))
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flat(inner, place)
    elif isinstance(messages, Problem):
        yield messages.under(*place)
    else:
        yield Problem("E_FORM", {"why": messages}, place)


def _step(key: str | int) -> str | int:
    return excerpt(key) if isinstance(key, str) else key
