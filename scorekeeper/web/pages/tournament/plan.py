"""The form of the plan of a tournament."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import redirect, request, url_for
from werkzeug.datastructures import MultiDict

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.tournament.plan import FORMAT_NAMES, SIZES, Plan
from scorekeeper.domain.tournament.scale import TIE_BREAKS, Scale
from scorekeeper.services import tournaments
from scorekeeper.web.context import ledger
from scorekeeper.web.pages.amounts import in_unit, signed, split_amount, whole
from scorekeeper.web.pages.blueprint import (
    Answer,
    form_page,
    form_write,
    group_or_404,
    pages,
    was_stale,
)
from scorekeeper.wire.strict import load
from scorekeeper.wire.tournaments import PlanSchema

TIES_SHOWN = 3
OTHER_NAMES = {
    **{"rules": "preset", "partners": "pairs"},
    **{"scale": "places", "tie_breaks": "tie-0", "sit_out": "sat_out"},
}
"""The fields of facts that have another name in the form."""
FIRST: Mapping[str, str] = {
    "format": "danish",
    "rounds": "3",
    "hands": "4",
    "minutes": "0",
    "size": "4",
    "places": "4 3 2 1",
    "advance": "1",
    "tie-0": "net",
    "tie-1": "wins",
    "tie-2": "lot",
    "unit": "EUR",
    "shares": "50 30 20",
    "preset": "german-family",
}
"""The form that is filled in at first: the mildest evening of a club."""


@pages.route("/s/<group_id>/tournament/plan", methods=["GET", "POST"])
def tournament_plan(group_id: str) -> Answer:
    """Plan the tournament, or change its plan until the first draw."""
    group = group_or_404(group_id)
    if request.method != "POST":
        return _shown(group, _form_of(group))
    try:
        plan: Plan = load(PlanSchema(), body_of(request.form, group))
        write = form_write()
        if was_stale(lambda: tournaments.save_plan(ledger(), group_id, plan, write)):
            return _shown(group_or_404(group_id), request.form, stale=True), 409
    except RuleError as error:
        return _shown(group, request.form, error.problems), 422
    then = "pages.tournament_entrants" if not group.tournament else "pages.tournament"
    return redirect(url_for(then, group_id=group_id), 303)


# ---- from the form to the plan -------------------------------------------------------


def body_of(form: MultiDict[str, str], group: Group) -> dict[str, Any]:
    """Return the plan of a form as a REST body; what cannot be read stays for the schema.

    House rules of the group, or of the plan so far, hold for their own rule system. Tie-breaks that
    the form does not show stay as they are.
    """
    before = group.tournament.plan if group.tournament else None
    preset, hands = form.get("preset", ""), form.get("hands", "").strip()
    rules = dict(_options(before.rules if before else group.house, preset))
    if hands:
        rules |= {"end.mode": "rounds", "end.rounds": whole(hands)}
    elif rules.get("end.mode") == "rounds":
        rules = {name: value for name, value in rules.items() if not name.startswith("end.")}
    body: dict[str, Any] = {
        "format": form.get("format", ""),
        "rounds": whole(form.get("rounds", "")),
        "rules": {"preset": preset, "options": rules},
        "size": whole(form.get("size", "")),
        "partners": 2 if form.get("pairs") == "yes" else 1,
        "remainder": "sit_out" if form.get("sit_out") == "yes" else "smaller",
        "keep_apart": form.get("keep_apart") == "yes",
        "split_clubs": form.get("split_clubs") == "yes",
        "advance": whole(form.get("advance", "1") or "1"),
        "minutes": whole(form.get("minutes", "0") or "0"),
        "scale": _scale(form, before.scale if before else Scale()),
    }
    if form.get("fee", "").strip():
        fee, unit = split_amount(form["fee"], form.get("unit", ""))
        body["money"] = {
            "fee": in_unit(fee, unit),
            "unit": unit,
            "kept": in_unit(form.get("kept", "") or "0", unit),
            "shares": _numbers(form.get("shares", "")),
            "booked": form.get("booked") == "yes",
        }
    return body


def _options(known: RuleSet | None, preset: str) -> Mapping[str, Any]:
    if known is None or known.preset != preset:
        return {}
    usual, own = PRESETS[preset].resolved(), known.resolved()
    return {
        name: value
        for name, value in own.items()
        if value != usual[name] and not name.startswith("settle.")
    }


def _scale(form: MultiDict[str, str], before: Scale) -> dict[str, Any]:
    ties = [form.get(f"tie-{place}", "") for place in range(TIES_SHOWN)]
    ties += [tie for tie in before.tie_breaks[TIES_SHOWN:] if tie not in ties]
    return {
        "places": _numbers(form.get("places", "")),
        "net": form.get("net") == "yes",
        "win": signed(form.get("win", "") or "0"),
        "hand_win": signed(form.get("hand_win", "") or "0"),
        "sit_out": signed(form.get("sat_out", "") or "0"),
        "most": signed(form["most"]) if form.get("most") else None,
        "least": signed(form["least"]) if form.get("least") else None,
        "left": _steps(form.get("left", ""), ("most", "points")),
        "victory": _steps(form.get("victory", ""), ("difference", "better", "other")),
        "tie_breaks": [tie for tie in ties if tie],
    }


def _numbers(text: str) -> list[int | str]:
    return [signed(word) for word in text.replace(",", " ").split()]


def _steps(text: str, names: Sequence[str]) -> list[dict[str, int | str]]:
    """Return the rows of a table typed as ``10:3 20:2``; a row that is too short lacks a field."""
    return [
        dict(zip(names, map(signed, row.split(":")), strict=False))
        for row in text.replace(",", " ").split()
    ]


# ---- from the plan to the form -------------------------------------------------------


def _form_of(group: Group) -> MultiDict[str, str]:
    if group.tournament is None:
        preset = {"preset": group.house.preset} if group.house else {}
        return MultiDict({**FIRST, **preset})
    plan = group.tournament.plan
    scale, money = plan.scale, plan.money
    ends = plan.rules.end
    form = {
        "format": plan.format,
        "rounds": f"{plan.rounds}",
        "hands": f"{ends.rounds or ''}" if ends.mode == "rounds" else "",
        "minutes": f"{plan.minutes}",
        "size": f"{plan.size}",
        "advance": f"{plan.advance}",
        "preset": plan.rules.preset,
        "places": " ".join(map(str, scale.places)),
        "win": f"{scale.win or ''}",
        "hand_win": f"{scale.hand_win or ''}",
        "sat_out": f"{scale.sit_out or ''}",
        "most": "" if scale.most is None else f"{scale.most}",
        "least": "" if scale.least is None else f"{scale.least}",
        "left": " ".join(f"{most}:{points}" for most, points in scale.left),
        "victory": " ".join(":".join(map(str, row)) for row in scale.victory),
        **{f"tie-{place}": tie for place, tie in enumerate(scale.tie_breaks[:TIES_SHOWN])},
        "unit": money.unit if money else FIRST["unit"],
        "fee": str(money.fee) if money else "",
        "kept": str(money.kept) if money and money.kept else "",
        "shares": " ".join(map(str, money.shares)) if money else FIRST["shares"],
    }
    switches = {
        "net": scale.net,
        "pairs": plan.partners == 2,
        "sit_out": plan.remainder == "sit_out",
        "keep_apart": plan.keep_apart,
        "split_clubs": plan.split_clubs,
        "booked": money and money.booked,
    }
    return MultiDict({**form, **{name: "yes" for name, is_on in switches.items() if is_on}})


def _field(problem: Problem) -> Problem:
    """Return a problem at the field that its place is typed in."""
    match tuple(part for part in problem.path if isinstance(part, str)):
        case ("rules", *_, name):
            name = "hands" if name.startswith("end.") else "preset"
        case ("scale", "left" | "victory" as name, *_):
            pass
        case (*_, name):
            name = OTHER_NAMES.get(name, name)
        case _:
            name = ""
    return Problem(problem.code, problem.facts, (name,))


def _shown(
    group: Group,
    form: MultiDict[str, str],
    problems: Sequence[Problem] = (),
    *,
    stale: bool = False,
) -> str:
    return form_page(
        "tournament_plan.html",
        [_field(problem) for problem in problems],
        group=group,
        form=form,
        formats=FORMAT_NAMES,
        sizes=SIZES,
        ties=TIE_BREAKS,
        ties_shown=TIES_SHOWN,
        fixed=bool(group.tournament and group.tournament.rounds),
        stale=stale,
    )
