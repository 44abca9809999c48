"""Rule systems, their options, and checks of house rules."""

from typing import Any

from flask import Response
from marshmallow import fields

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import OPTIONS, Option, RuleSet
from scorekeeper.domain.rules.kinds import Kind
from scorekeeper.domain.rules.presets import PRESETS, deviations, preset, remarks
from scorekeeper.i18n.findings import finding
from scorekeeper.store.errors import NotFound
from scorekeeper.web.api.answers import RuleSetSchema, rules_answer
from scorekeeper.web.api.blueprint import AnswerSchema, FindingSchema, answer, blp
from scorekeeper.web.api.parts import list_of, text
from scorekeeper.web.context import language
from scorekeeper.wire.schemas import RulesSchema
from scorekeeper.wire.strict import NestedObject, StrictSchema

TAGS = ["Rules"]


class PresetSchema(RuleSetSchema):
    """A rule system."""

    name = text()
    description = text()


class PresetsSchema(AnswerSchema):
    """All rule systems."""

    presets = list_of(PresetSchema)


class OptionSchema(AnswerSchema):
    """One option of the rules."""

    name = text()
    type = text()
    allowed = fields.Dict(required=True, metadata={"description": "a JSON Schema"})
    meaning = text()
    source = text()
    families = list_of(fields.String())


class OptionsSchema(AnswerSchema):
    """All options."""

    options = list_of(OptionSchema)


class RulesBodySchema(StrictSchema):
    """House rules to check."""

    rules = NestedObject(RulesSchema(), required=True)


class DeviationSchema(AnswerSchema):
    """An option that differs from the rule system."""

    option = text()
    value = fields.Raw(required=True, allow_none=True)
    usual = fields.Raw(required=True, allow_none=True)
    message = text()
    otherwise = text()


class RulesCheckSchema(RuleSetSchema):
    """House rules with all options resolved, deviations and warnings."""

    deviations = list_of(DeviationSchema)
    warnings = list_of(FindingSchema)


@blp.get("/presets", tags=TAGS)
@blp.response(200, PresetsSchema)
def list_presets() -> Response:
    """Return all rule systems with every option resolved."""
    return answer({"presets": [_preset(rules) for rules in PRESETS.values()]})


@blp.get("/presets/<name>", tags=TAGS)
@blp.response(200, PresetSchema)
def read_preset(name: str) -> Response:
    """Return one rule system with every option resolved."""
    return answer(_preset(preset_or_404(name)))


def preset_or_404(name: str) -> RuleSet:
    """Return the rule system with this name; 404 if there is none."""
    try:
        return preset(name)
    except RuleError:
        raise NotFound(name) from None


def _preset(rules: RuleSet) -> dict[str, Any]:
    lang = language()
    words = {"name": lang.preset(rules.preset), "description": lang.preset_line(rules.preset)}
    return rules_answer(rules) | words


@blp.get("/options", tags=TAGS)
@blp.response(200, OptionsSchema)
def list_options() -> Response:
    """Return all options: type, range, meaning, source and families."""
    return answer({"options": [_option(option) for option in OPTIONS.values()]})


def _option(option: Option) -> dict[str, Any]:
    kind: Kind = option.kind
    return {
        "name": option.name,
        "type": type(kind).__name__.lower(),
        "allowed": kind.describe(),
        "meaning": language().option(option.name),
        "source": option.source,
        "families": list(option.families),
    }


@blp.post("/rules/check", tags=TAGS)
@blp.arguments(RulesBodySchema())
@blp.response(200, RulesCheckSchema)
def check_rules(body: dict[str, RuleSet]) -> Response:
    """Check house rules: resolved options, deviations from the rule system, warnings."""
    rules, lang = body["rules"], language()
    checked = rules_answer(rules)
    checked["deviations"] = []
    for deviation in deviations(rules):
        write = OPTIONS[deviation.name].kind.write
        message, otherwise = lang.deviation(deviation)
        checked["deviations"].append(
            {
                "option": deviation.name,
                "value": write(deviation.value),
                "usual": write(deviation.usual),
                "message": message,
                "otherwise": otherwise,
            }
        )
    checked["warnings"] = [finding(remark, lang) for remark in remarks(rules)]
    return answer(checked)
