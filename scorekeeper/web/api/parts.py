"""Fields of answers. All of them are required; a value may be null or an empty list."""

from typing import Any

from marshmallow import Schema, fields


def text(**more: Any) -> fields.String:
    return fields.String(required=True, **more)


def integer(**more: Any) -> fields.Integer:
    return fields.Integer(required=True, **more)


def flag(**more: Any) -> fields.Boolean:
    return fields.Boolean(required=True, **more)


def list_of(inner: type[Schema] | fields.Field[Any], **more: Any) -> fields.List[Any]:
    each = fields.Nested(inner) if isinstance(inner, type) else inner
    return fields.List(each, required=True, **more)


def part(schema: type[Schema], **more: Any) -> fields.Nested:
    return fields.Nested(schema, required=True, **more)
