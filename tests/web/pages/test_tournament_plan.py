"""The form that plans a tournament: shown as it was entered, refused at its fields."""

import re
from dataclasses import replace

import pytest
from flask import Flask

from scorekeeper.domain.tournament.scale import Scale
from scorekeeper.services import tournaments
from scorekeeper.store.writes import PROGRAM
from web.pages.conftest import Browser, words


@pytest.mark.parametrize(
    "fields",
    [
        {
            "format": "swiss", "rounds": "5", "hands": "", "minutes": "40", "size": "3",
            "sit_out": "yes", "keep_apart": "yes", "split_clubs": "yes", "advance": "2",
            "preset": "luxembourg", "places": "6 1 -2", "net": "yes", "win": "2", "hand_win": "3",
            "sat_out": "-4", "left": "10:3 20:-2", "victory": "", "most": "40", "least": "0",
            "tie-0": "best", "tie-1": "", "tie-2": "",
            "fee": "3", "unit": "CHF", "kept": "1/2", "shares": "60 40",
        },
        {
            "format": "mitchell", "rounds": "2", "hands": "7", "minutes": "0", "size": "2",
            "advance": "1", "preset": "romme-palast", "places": "", "win": "", "hand_win": "",
            "sat_out": "", "left": "", "victory": "0:10:10 25:12:8", "most": "", "least": "-9",
            "tie-0": "lot", "tie-1": "", "tie-2": "",
            "fee": "5", "unit": "EUR", "kept": "", "shares": "100", "booked": "yes",
        },
        {
            "format": "danish", "rounds": "3", "hands": "4", "minutes": "0", "size": "2",
            "pairs": "yes", "advance": "1", "preset": "robber", "places": "2 1", "win": "",
            "hand_win": "", "sat_out": "", "left": "", "victory": "", "most": "", "least": "",
            "tie-0": "net", "tie-1": "wins", "tie-2": "lot",
            "fee": "", "unit": "EUR", "kept": "", "shares": "50 30 20",
        },
    ],
)  # fmt: skip
def test_the_form_of_a_plan_shows_it_as_it_was_entered(
    anna: Browser, fields: dict[str, str]
) -> None:
    plan = anna.found("Kegelclub", ()) + "/tournament/plan"
    hidden = {name: anna.form(plan)[name] for name in ("csrf_token", "key", "version")}

    planned = anna.post(plan, {**hidden, **fields})

    assert planned.status_code == 303, words(planned.text)
    again = anna.form(plan)
    assert {name: again[name] for name in again if name not in hidden} == fields


def test_points_of_a_plan_may_be_negative_with_any_minus_sign_and_spaces(
    app: Flask, anna: Browser
) -> None:
    group = anna.found("Kegelclub", ())
    typed = {"places": "3 1 −1 –3", "sat_out": " -2 ", "least": "−6", "rounds": "5 "}

    assert anna.send(f"{group}/tournament/plan", **typed).status_code == 303
    plan = tournaments.tournament_of(app.extensions["ledger"].group(group[3:])).plan
    assert plan.scale.places == (3, 1, -1, -3)
    assert (plan.scale.sit_out, plan.scale.least, plan.rounds) == (-2, -6, 5)


def test_a_changed_plan_keeps_its_limits_and_the_tie_breaks_that_the_form_does_not_show(
    app: Flask, anna: Browser
) -> None:
    group, ledger = anna.found("Kegelclub", ()), app.extensions["ledger"]
    anna.send(f"{group}/tournament/plan")
    by_program = Scale(
        places=(9, 6, 3, 1), most=8, least=-4, tie_breaks=("wins", "net", "best", "direct", "lot")
    )
    plan = replace(tournaments.tournament_of(ledger.group(group[3:])).plan, scale=by_program)
    tournaments.change_plan(ledger, group[3:], plan, PROGRAM)

    page = f"{group}/tournament/plan"
    assert anna.send(page, minutes="30", tie__2="direct").status_code == 303
    changed = tournaments.tournament_of(ledger.group(group[3:])).plan

    scale = replace(by_program, tie_breaks=("wins", "net", "direct", "lot"))
    assert changed == replace(plan, minutes=30, scale=scale)


def test_a_plan_needs_few_fields(app: Flask, anna: Browser) -> None:
    group = anna.found("Kegelclub", ())
    form = anna.form(f"{group}/tournament/plan")
    few = ("csrf_token", "key", "version", "format", "rounds", "size", "preset", "places")

    planned = anna.post(f"{group}/tournament/plan", {name: form[name] for name in few})

    assert planned.status_code == 303, words(planned.text)
    ledger = app.extensions["ledger"]
    plan = tournaments.tournament_of(ledger.group(group[3:])).plan
    assert plan.scale == Scale(places=(4, 3, 2, 1), tie_breaks=())
    assert (plan.minutes, plan.advance, plan.money) == (0, 1, None)


@pytest.mark.parametrize(
    ("fields", "at", "message"),
    [
        ({"rounds": "0"}, "rounds", "1"),
        ({"rounds": "viele"}, "rounds", "ganze Zahl"),
        ({"hands": "viele"}, "hands", ""),
        ({"hands": "0"}, "hands", ""),
        ({"hands": "1000000"}, "hands", ""),
        ({"minutes": "601"}, "minutes", "600"),
        ({"advance": "4"}, "advance", "3"),
        ({"size": "5"}, "size", ""),
        ({"format": "skat"}, "format", ""),
        ({"format": "mitchell"}, "size", "Dieser Spielplan ist für Tische mit zwei."),
        ({"places": "3 2"}, "places", "An einem Tisch gibt es 4 Plätze"),
        ({"places": ""}, "places", ""),
        ({"win": "x"}, "win", ""),
        ({"hand_win": "x"}, "hand_win", ""),
        ({"sat_out": "x"}, "sat_out", ""),
        (
            {"victory": "0:10:10"},
            "victory",
            "Siegpunkte nach der Differenz gibt es nur an Tischen mit zwei",
        ),
        ({"victory": "0:10:x"}, "victory", ""),
        ({"left": "10"}, "left", ""),
        ({"left": "20:1 10:2"}, "left", ""),
        ({"most": "3", "least": "4"}, "least", "Die Untergrenze liegt über der Obergrenze."),
        ({"most": "viele"}, "most", ""),
        (
            {"fee": "5", "kept": "5", "booked": "yes"},
            "kept",
            "Was der Verein behält, gehört keinem Mitglied.",
        ),
        ({"fee": "1/3"}, "fee", "Dieser Betrag lässt sich nicht in Münzen zahlen."),
        ({"fee": "5", "kept": "1/3"}, "kept", "Dieser Betrag lässt sich nicht in Münzen zahlen."),
        ({"fee": "5", "shares": "0"}, "shares", ""),
        ({"fee": "5", "unit": "x" * 13}, "unit", ""),
        (
            {"tie__0": "lot", "tie__1": "lot"},
            "tie-0",
            "Ein Entscheid bei Gleichstand steht zweimal da.",
        ),
        ({"tie__1": "Elfmeter"}, "tie-0", ""),
        ({"pairs": "yes"}, "size", "Paare spielen zu zweit gegen zwei"),
        ({"preset": "gin-palast"}, "size", "Nach diesen Regeln spielen genau 2"),
        ({"preset": "skat"}, "preset", ""),
    ],
)
def test_a_plan_that_cannot_be_played_is_shown_again(
    anna: Browser, fields: dict[str, str], at: str, message: str
) -> None:
    night = anna.found("Kegelclub", ()) + "/tournament"
    answer = anna.send(f"{night}/plan", **fields)

    assert answer.status_code == 422
    faults = re.findall(r'id="fault-([^"]+)" data-part>(<p class="fault".*?</p>)', answer.text)
    assert [name for name, _ in faults] == [at]
    assert message in words(faults[0][1])
