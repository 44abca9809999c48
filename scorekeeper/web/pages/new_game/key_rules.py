"""The house rules that tables change most. They come first in the form, as switches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import Choice, Flag
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import Language
from scorekeeper.web.pages.entry.fields import Fields
from scorekeeper.web.pages.new_game.fields import LIMIT, option_text, typed_option

KEY_RULES: Mapping[str, tuple[str, ...]] = {
    "lay": (
        *(LIMIT, "meld.first_min", "deck.jokers", "joker.hand_value"),
        *("hand_romme.enabled", "klopfen.mode", "ace.corner"),
    ),
    "hand": (LIMIT, "deck.jokers", "joker.hand_value", "wild.twos", "out.max_rest", "ace.corner"),
    "gin": (
        *(LIMIT, "teams", "gin.oklahoma", "gin.tedesco", "gin.hirschn"),
        *("gin.glass", "gin.joker_rule", "gin.cyclic"),
    ),
    "knock": (LIMIT, "knock.limit", "knock.penalty", "knock.rummy_bonus"),
}
"""By family."""
STEPS: Mapping[str, tuple[int | None, ...]] = {
    "meld.first_min": (30, 40, 50),
    "deck.jokers": (0, 2, 4, 6),
    "joker.hand_value": (20, 25, 50),
    "out.max_rest": (0, 5, 9),
    "knock.limit": (None, 5, 10),
    "knock.penalty": (0, 10, 20),
    "knock.rummy_bonus": (0, 10, 25),
}
"""Values that are offered; others can be typed."""
LIMITS = {"minus": (None, 300, 500, 1000), "plus": (None, 100, 200, 300), "net": (None, 100, 200)}
"""Limits that are offered, by what is counted."""


@dataclass(frozen=True)
class KeyRule:
    """One of these rules in the form."""

    name: str
    value: str
    choices: tuple[tuple[str, str], ...]
    """Values with their labels; empty for a switch."""
    other: str | None
    """A value that is typed, if it is not among the choices; None where none may be typed."""
    changed: bool


def names_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the key rules that these rules have."""
    return tuple(name for name in KEY_RULES[rules.family] if rules.applies(name))


def key_rules(
    rules: RuleSet, form: Fields, chosen: Mapping[str, object], lang: Language
) -> list[KeyRule]:
    """Return the key rules as the form shows them."""
    values = {
        name: typed_option(form, name)
        if name in chosen
        else option_text(OPTIONS[name].kind, rules[name])
        for name in names_of(rules)
    }
    return [_key_rule(rules, name, value, lang) for name, value in values.items()]


def _key_rule(rules: RuleSet, name: str, value: str, lang: Language) -> KeyRule:
    kind, usual = OPTIONS[name].kind, preset(rules.preset)
    changed = not usual.applies(name) or value != option_text(kind, usual[name])
    if isinstance(kind, Flag):
        return KeyRule(name, value, (), None, changed)
    values: Sequence[str | int | None]
    if isinstance(kind, Choice):
        values = kind.values
    else:
        offered: set[int | None] = {*_steps(name, rules), usual[name], rules[name]}
        values = sorted(offered, key=lambda one: -1 if one is None else one)
    choices = tuple((option_text(kind, one), _words(name, one, lang)) for one in values)
    other = None if isinstance(kind, Choice) else "" if value in dict(choices) else value
    return KeyRule(name, value, choices, other, changed)


def _steps(name: str, rules: RuleSet) -> tuple[int | None, ...]:
    return LIMITS[rules.end.measure] if name == LIMIT else STEPS[name]


def _words(name: str, value: object, lang: Language) -> str:
    """Return a value in one short word."""
    own = f"home.value.{name}.{'none' if value is None else value}"
    return lang(own) if own in lang else lang.words(value)
