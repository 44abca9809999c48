"""Convert the fields of a new game and its house rules into the API's body, and back."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from werkzeug.datastructures import MultiDict

from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.rules import GROUPS, IMPLIED, OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import (
    MAX_PLAYERS,
    Choice,
    Deal,
    Exact,
    Flag,
    Kind,
    Numbers,
    PerTable,
    Whole,
)
from scorekeeper.domain.rules.plan import PlanKind, PlanRow
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import Language
from scorekeeper.web.pages.amounts import in_unit, split_amount, whole, whole_or_none
from scorekeeper.web.pages.entry.fields import Fields
from scorekeeper.web.pages.new_game.seats import THREE
from scorekeeper.wording.terms import STAKE

FIRST_PRESET = "german-family"
"""The rule system whose rules are shown beside a system that does not exist."""
STAKE_FIELDS = tuple(name.removeprefix("settle.") for name in STAKE)
AMOUNT_FIELDS = ("point_value", "payable", "stake")
FIRST_DEALER = "deal.first_dealer"
SEPARATE_OPTIONS = {"family", FIRST_DEALER, *STAKE}
"""Options with fields of their own elsewhere in the form."""
FEW = 12
"""Options with at most this many values offer a list; others are typed."""


def new_game_body(form: Fields, names: Sequence[str]) -> dict[str, Any]:
    """Return the body of a new game (API 3) from its form."""
    dealer = form.get("first_dealer", "")
    first = {"first_dealer": option_value(OPTIONS[FIRST_DEALER].kind, dealer)} if dealer else {}
    return first | {
        "title": form.get("title", ""),
        "place": form.get("place", ""),
        "rules": {"preset": form.get("preset", ""), "options": chosen_options(form)},
        "players": [{"name": name} for name in names],
        "stake": _stake(form) if form.get("money") == "yes" else {"point_value": None},
    }


def _stake(form: Fields) -> dict[str, str | None]:
    value, unit = split_amount(form.get("point_value", ""), form.get("unit", ""))
    others = {term: in_unit(form.get(term, ""), unit) for term in ("payable", "stake")}
    return {
        "point_value": value.replace(",", ".") or None,
        **({"unit": unit} if unit else {}),
        **{term: typed for term, typed in others.items() if typed},
    }


def with_split_amount(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with the unit in its own field: ``0,05 €`` is 0,05 and EUR."""
    value, unit = split_amount(form.get("point_value", ""), form.get("unit", ""))
    return MultiDict({**form, "point_value": value, "unit": unit})


def seated(form: Fields, names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the form without its empty seats, with the same first dealer.

    An empty seat cannot deal; then the number is that of a seat that does not exist.
    """
    here = [name for name in names if name.strip()]
    row = whole_or_none(form.get("first_dealer", ""))
    if row is None:
        return {}, here
    there = row < len(names) and names[row].strip()
    seat = sum(bool(name.strip()) for name in names[:row]) if there else max(row, len(here))
    return {"first_dealer": str(seat)}, here


IMPLIED_PREFIX = "brought."
"""Prefix of hidden fields: the value that an option has unless the form sets it."""


def chosen_options(form: Fields) -> dict[str, object]:
    """Return the house rules: the options with another value than usual or implied.

    Fields shown for another rule system than the selected one do not count.
    """
    if form.get("options_of") != form.get("preset"):
        return {}
    usual = preset(form["preset"])

    def differs(name: str, value: object) -> bool:
        if (implied := form.get(IMPLIED_PREFIX + name)) is not None:
            return form[name] != implied
        return not usual.applies(name) or value != OPTIONS[name].kind.write(usual[name])

    typed = {
        name: option_value(OPTIONS[name].kind, typed_option(form, name))
        for name in OPTIONS
        if name in form and name not in SEPARATE_OPTIONS
    }
    return with_ending(usual, {name: typed[name] for name in typed if differs(name, typed[name])})


LIMIT, HOW_IT_ENDS = "end.points", "end.mode"
WITH_LIMIT = {"manual": "points", "rounds": "points_or_rounds"}
WITHOUT_LIMIT = {"points": "manual", "points_or_rounds": "rounds"}
"""How a game ends once a limit is set, and once it is taken away."""


def with_ending(usual: RuleSet, chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the options with the ending that follows from the limit, unless one is chosen."""
    if LIMIT not in chosen or HOW_IT_ENDS in chosen:
        return dict(chosen)
    follows = WITHOUT_LIMIT if chosen[LIMIT] is None else WITH_LIMIT
    mode = follows.get(str(usual[HOW_IT_ENDS]))
    return {**chosen, HOW_IT_ENDS: mode} if mode else dict(chosen)


OTHER = "other"
"""The choice of a value that is typed, and the prefix of the field that it is typed into."""


def typed_option(form: Fields, name: str) -> str:
    """Return the value of an option as text."""
    return form.get(f"{OTHER}.{name}", "") if form[name] == OTHER else form[name]


def with_usual(form: MultiDict[str, str], name: str) -> MultiDict[str, str]:
    """Return the form with an option as the rule system has it."""
    if name not in OPTIONS or form.get("preset", "") not in PRESETS:
        return form
    usual = preset(form["preset"])
    names = (LIMIT, HOW_IT_ENDS) if name == LIMIT else (name,)
    texts = {one: option_text(OPTIONS[one].kind, usual[one]) for one in names}
    return MultiDict({**form, **texts})


def option_value(kind: Kind, text: str) -> object:
    """Return an input as JSON; invalid input stays text, which the schema refuses."""
    text = text.strip()
    match kind:
        case Flag():
            return {"yes": True, "no": False}.get(text, text)
        case Choice():
            return next((value for value in kind.values if str(value) == text), text)
        case Whole():
            return None if kind.optional and not text else whole(text)
        case Numbers():
            return [whole(number) for number in text.split()]
        case Deal() | PerTable():
            return _dealt(text)
        case PlanKind():
            return kind.write(kind.read(text)) if _is_plan(kind, text) else text
        case Exact():
            return text.replace(",", ".") or None
    return text


def _is_plan(kind: PlanKind, text: str) -> bool:
    try:
        kind.read(text)
    except ValueError:
        return False
    return True


def _dealt(text: str) -> object:
    """Read ``13``, or cards by number of players: ``2:10 3:7 4:7``."""
    pairs = [part.partition(":") for part in text.split()]
    if any(colon for _, colon, _ in pairs):
        return {players: whole(cards) for players, _, cards in pairs}
    return whole(text)


def option_text(kind: Kind, value: object) -> str:
    """Return a value as the form shows it; ``option_value`` is the inverse."""
    if isinstance(kind, PlanKind):
        return kind.text(cast("tuple[PlanRow, ...]", value))
    match kind.write(value):
        case bool(wire):
            return "yes" if wire else "no"
        case None:
            return ""
        case list(wire):
            return " ".join(map(str, wire))
        case dict(wire):
            return " ".join(f"{players}:{cards}" for players, cards in wire.items())
        case wire:
            return str(wire)


def rules_so_far(name: str, options: Mapping[str, object]) -> RuleSet:
    """Return the rules of an unfinished form, leaving out options that do not fit yet."""
    with suppress(RuleError):
        return preset(name).unchecked(options)
    rules, fitting = preset(name), dict[str, object]()
    for option, value in options.items():
        try:
            rules = preset(name).unchecked(fitting | {option: value})
        except RuleError:
            continue
        fitting[option] = value
    return rules


@dataclass(frozen=True)
class OptionField:
    """One house rule in the form."""

    name: str
    label: str
    value: str
    brought: str | None
    """The value that other options imply, unless the form sets it."""
    choices: tuple[tuple[str, str], ...]
    """Values with their labels, if there are few; otherwise the value is typed."""
    usual: tuple[str, ...]
    """Common values, offered while typing."""
    changed: bool


IMPLIED_OPTIONS = {
    name for ways in IMPLIED.values() for brought in ways.values() for name in brought
} | {HOW_IT_ENDS, "end.rounds"}
"""Options that others may imply; a plan of the rounds implies how many there are."""


def option_groups(
    rules: RuleSet, form: Fields, lang: Language, without: Collection[str] = ()
) -> list[tuple[str, list[OptionField]]]:
    """Return the house rules that these rules have, by group, ``without`` those shown before."""
    shown = [name for name in rules.names() if name not in {*SEPARATE_OPTIONS, *without}]
    chosen = chosen_options(form)
    groups = []
    for group, parts in GROUPS.items():
        names = [name for name in shown if name.partition(".")[0] in parts]
        if names:
            groups.append(
                (group, [_option_field(rules, name, form, chosen, lang) for name in names])
            )
    return groups


def _option_field(
    rules: RuleSet, name: str, form: Fields, chosen: Mapping[str, object], lang: Language
) -> OptionField:
    option, usual = OPTIONS[name], preset(rules.preset)
    value = form[name] if name in chosen else option_text(option.kind, rules[name])
    return OptionField(
        name=name,
        label=lang.option(name),
        value=value,
        brought=implied_text(rules, name, chosen) if name in IMPLIED_OPTIONS else None,
        choices=_choices(name, lang),
        usual=tuple(str(value) for value in option.usual),
        changed=not usual.applies(name) or value != option_text(option.kind, usual[name]),
    )


def implied_text(rules: RuleSet, name: str, chosen: Mapping[str, object]) -> str:
    """Return the value that an option has by the other choices, as the form shows it."""
    others = {other: value for other, value in chosen.items() if other != name}
    others = with_ending(preset(rules.preset), others)
    return option_text(OPTIONS[name].kind, rules_so_far(rules.preset, others)[name])


@cache
def _choices(name: str, lang: Language) -> tuple[tuple[str, str], ...]:
    kind = OPTIONS[name].kind
    values: Sequence[object] = ()
    match kind:
        case Flag():
            values = (True, False)
        case Choice():
            values = kind.values
        case Whole() if not kind.optional and kind.high - kind.low < FEW:
            values = range(kind.low, kind.high + 1)
    return tuple((option_text(kind, value), lang.value(name, value)) for value in values)


# ---- refusals in the words of players ------------------------------------------------


def player_sentences(
    form: Fields, rules: RuleSet, names: Sequence[str], lang: Language
) -> Callable[[Problem], str]:
    """Return how this form words its problems; empty where the general sentence does."""

    def sentence(problem: Problem) -> str:
        field = new_game_field(problem.path)
        if field == "players":
            return _wrong_number(rules, len(names), lang)
        if field in AMOUNT_FIELDS and problem.code != "E_FRAME":
            return lang("home.no_amount", value=form.get(field, ""))
        return ""

    return sentence


def _wrong_number(rules: RuleSet, count: int, lang: Language) -> str:
    """Return why this number of players cannot play: Gin is for two, and there are four of you."""
    least, most = rules.players.min, rules.players.max
    if rules.family != "gin" and (problem := _too_few_cards(rules, count)):
        return lang.problem(problem)
    if count < 2:
        return lang("home.who_plays.one" if count else "home.who_plays.none")
    key = "teams" if rules.teams else "exactly" if least == most else "between"
    return lang(
        f"home.players.{key}",
        system=lang.preset(rules.preset),
        least=lang(f"home.together.{least}"),
        most=lang(f"home.together.{most}"),
        count=lang(f"home.together.{count}"),
    )


def _too_few_cards(rules: RuleSet, count: int) -> Problem | None:
    """Return why so many players, more than usual, cannot play: the cards do not suffice."""
    if not rules.players.max < count <= MAX_PLAYERS:
        return None
    try:
        rules.override({"players.max": count})
    except RuleError as error:
        return error.problems[0]
    return None


@dataclass(frozen=True)
class Remedy:
    """A button that mends a refusal."""

    do: str
    words: str
    detail: str = ""


def remedy(rules: RuleSet, names: Sequence[str], lang: Language) -> Remedy | None:
    """Return how this number of players could play after all.

    At gin three play with one sitting out, four two against two, and two alone; elsewhere more
    than usual may play, if the cards suffice.
    """
    if rules.family != "gin":
        count, usual = len(names), rules.players.max
        if not usual < count <= MAX_PLAYERS or _too_few_cards(rules, count):
            return None
        words = lang("home.more.play", count=lang(f"home.together.{count}"))
        return Remedy(f"players:{count}", words)
    if len(names) == 3:
        return Remedy(f"teams:{THREE}", lang("home.three.play"))
    if len(names) == 4 and not rules.teams:
        one, other = lang.all_of(names[::2]), lang.all_of(names[1::2])
        detail = lang("home.teams.who", one=one, other=other)
        return Remedy("teams:yes", lang("home.teams.play"), detail)
    if len(names) == 2 and rules.teams:
        return Remedy("teams:no", lang("home.teams.without"))
    return None


def new_game_field(place: Where) -> str:
    """Return the field that a problem is about; empty for the game as a whole."""
    match place:
        case ("players", int(seat), *_):
            return f"name-{seat}"
        case (*_, str(name)):
            return "first_dealer" if name == FIRST_DEALER else name.removeprefix("settle.")
    return ""
