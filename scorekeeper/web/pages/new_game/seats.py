"""The seats in the form of a new game: how many there are, and who may be put on them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import Language
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.wire.rounds import MAX_PLAYERS

FIRST_ROWS = 4
"""Rows of an empty form; a system for exactly two or four has as many as it needs."""
THREE = "three"
"""The way to sit down to gin with three: two play, and one sits out."""
MAX_KNOWN = 24
"""Names of earlier players that are offered."""


def filled(names: Iterable[str]) -> list[str]:
    """Return the names without the empty rows."""
    return [name for name in names if name.strip()]


def rows(names: Sequence[str], rules: RuleSet, before: str = "") -> list[str]:
    """Return the names with the empty rows that the rules call for.

    ``before`` is the rule system of the rows: after one for two, a system for many has four again.
    """
    fixed = _exactly(rules)
    shown = list(names)
    if fixed:
        while len(shown) > fixed and not shown[-1].strip():
            shown.pop()
    was_fixed = before != rules.preset and before in PRESETS and _exactly(preset(before))
    least = fixed or (FIRST_ROWS if was_fixed or not names else 0)
    return shown + [""] * (least - len(shown))


def _exactly(rules: RuleSet) -> int:
    """Return the number of players if the rules or the way to sit leave no choice, or 0."""
    is_chosen = rules.applies("teams")
    return rules.players.max if is_chosen or rules.players.min == rules.players.max else 0


def known(players: Iterable[str], seated: Sequence[str]) -> list[str]:
    """Return players to choose from, without those who sit already."""
    here = {name.strip() for name in seated}
    return [name for name in dict.fromkeys(players) if name and name not in here][:MAX_KNOWN]


@dataclass(frozen=True)
class WayToSit:
    """A choice of how many play, where the rules offer one."""

    value: str
    """The value of the option ``teams``, or THREE."""
    title: str
    line: str
    chosen: bool


def ways_to_sit(rules: RuleSet, names: Sequence[str], lang: Language) -> list[WayToSit]:
    """Return the ways to sit down to gin; none for other games."""
    if not rules.applies("teams"):
        return []
    here = filled(names)
    pair = lang("home.teams.who", one=here[0], other=here[1]) if len(here) == 2 else ""
    sides = ""
    if len(here) == 4:
        one, other = lang.all_of(here[::2]), lang.all_of(here[1::2])
        sides = lang("home.teams.who", one=one, other=other)
    three = rules.players.max == 3
    two = not (three or rules.teams)
    return [
        WayToSit("no", lang("home.sit.two"), pair or lang("home.sit.two.line"), two),
        WayToSit(THREE, lang("home.sit.three"), lang("home.sit.three.line"), three),
        WayToSit("yes", lang("home.sit.teams"), sides or lang("home.sit.teams.line"), rules.teams),
    ]


def with_three(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with three at gin as the options that it means."""
    if form.get("teams") != THREE:
        return form
    return MultiDict({**form, "teams": "no", "players.max": "3"})


# ---- the buttons beside the names, for browsers without scripts ------------------------


def moved(names: Sequence[str], do: str, which: str) -> list[str]:
    """Return the names after a button was pressed; other buttons change nothing."""
    changed = list(names)
    if do == "sit":
        _sit(changed, which)
    elif do in MOVES:
        MOVES[do](changed, whole_or_none(which) or 0)
    return changed


def _sit(names: list[str], name: str) -> None:
    """Put a known player on the first empty seat, or on a new one."""
    if "" in names:
        names[names.index("")] = name
    elif len(names) < MAX_PLAYERS:
        names.append(name)


def _add(names: list[str], _: int) -> None:
    if len(names) < MAX_PLAYERS:
        names.append("")


def _drop(names: list[str], seat: int) -> None:
    if seat >= len(names):
        return
    if len(names) > 2:
        del names[seat]
    else:
        names[seat] = ""


def _swap(names: list[str], seat: int) -> None:
    if 0 < seat < len(names):
        names[seat - 1], names[seat] = names[seat], names[seat - 1]


MOVES: dict[str, Callable[[list[str], int], None]] = {
    "add": _add,
    "drop": _drop,
    "up": _swap,
    "down": lambda names, seat: _swap(names, seat + 1),
}
