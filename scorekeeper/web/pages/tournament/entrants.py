"""Entering a tournament, leaving it, and coming back."""

from collections.abc import Sequence
from typing import Any

from flask import abort, request, url_for

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.group.state import Group
from scorekeeper.services import tournaments
from scorekeeper.store.writes import Write
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import Answer, form_page, handle_form, pages
from scorekeeper.web.pages.entry.fields import lines
from scorekeeper.web.pages.tournament.views import there
from scorekeeper.wire.strict import load
from scorekeeper.wire.tournaments import MOST_ENTRIES, EntrantsSchema
from scorekeeper.wording.tournaments import entrant_names


@pages.route("/s/<group_id>/tournament/entrants", methods=["GET", "POST"])
def tournament_entrants(group_id: str) -> Answer:
    """Show who has entered; the director enters more, one on each line."""
    there(group_id)
    if request.method != "POST":
        return _shown(group_id)
    do, _, number = request.form.get("do", "").partition(":")
    entrant = whole_or_none(number)
    if do not in ("enter", "leave", "return") or (do != "enter" and entrant is None):
        abort(400)

    def change(write: Write) -> Group:
        if do == "enter":
            entries = load(EntrantsSchema(), {"entrants": typed(request.form.get("names", ""))})
            return tournaments.enter(ledger(), group_id, entries["entrants"], write)
        move = tournaments.withdraw if do == "leave" else tournaments.bring_back
        return move(ledger(), group_id, (entrant or 0) - 1, write)

    return handle_form(
        change,
        url_for("pages.tournament_entrants", group_id=group_id),
        lambda **wrong: _shown(group_id, **wrong),
    )


def typed(text: str) -> list[dict[str, Any]]:
    """Return the entrants in a text: ``Anna / Bernd, SC Trier``, one on each line."""
    entrants = []
    for line in lines(text)[: MOST_ENTRIES + 1]:
        names, _, club = line.partition(",")
        entrants.append({"names": [name.strip() for name in names.split("/")], "club": club})
    return entrants


def _words(problem: Problem, lines: Sequence[str]) -> str:
    """Return a refusal with its line; the finding itself names the entry by index."""
    words = language().problem(problem)
    match problem.path:
        case (_, int(place), *_) if place < len(lines):
            return f"{lines[place]}: {words}"
    return words


def _shown(group_id: str, problems: Sequence[Problem] = (), **wrong: Any) -> str:
    group, now = there(group_id)
    text = request.form.get("names", "")
    return form_page(
        "tournament_entrants.html",
        group=group,
        now=now,
        entrants=list(zip(now.entrants, entrant_names(group, now, language()), strict=True)),
        present=sum(one.is_present(len(now.rounds) + 1) for one in now.entrants),
        clubs=[group.texts.get(f"club.{club}", "") for club in range(now.clubs)],
        typed=text if problems or wrong else "",
        messages_of_lines=list(dict.fromkeys(_words(problem, lines(text)) for problem in problems)),
        is_director=right() == "pen",
        **wrong,
    )
