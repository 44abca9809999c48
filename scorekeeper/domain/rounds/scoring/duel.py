"""A round of gin for two, where more people are at the table: the others sit out.

The formula of gin knows two sides, so the two who play are scored as seats 0 and 1, and what it
says about them is put back to the seats they have at the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine, Seat
from scorekeeper.domain.rules import RuleSet

SEATS_IN_FACTS = ("seat", "of")
"""The facts of lines and findings that are seats."""
Found = TypeVar("Found", Problem, ScoreLine)


def is_duel(facts: Round, rules: RuleSet) -> bool:
    """Return whether two play a round of gin and others sit out."""
    is_for_two = rules.family == "gin" and not rules.teams
    return is_for_two and len(facts.present) == 2 < len(facts.seats)


def duel(facts: Round) -> Round:
    """Return the facts of the round with the two who play as seats 0 and 1."""
    at = {seat: place for place, seat in enumerate(facts.present)}
    nobody = len(at)  # a seat that does not play: the checks refuse it

    def place(seat: int | None) -> int | None:
        return None if seat is None else at.get(seat, nobody)

    call, attempts = facts.hirschn, facts.glass
    return replace(
        facts,
        knocker=place(facts.knocker),
        seats=tuple(_moved(facts.seats[seat], at) for seat in facts.present),
        hirschn=call and replace(call, caller=at.get(call.caller, nobody)),
        glass=attempts and tuple(replace(one, by=at.get(one.by, nobody)) for one in attempts),
    )


def _moved(seat: Seat, at: Mapping[int, int]) -> Seat:
    """Return the facts of a seat with its lay-offs on the melds of the other one."""
    if not seat.layoffs:
        return seat
    moves = (
        replace(move, meld=replace(move.meld, seat=at.get(move.meld.seat, len(at))))
        for move in seat.layoffs
    )
    return replace(seat, layoffs=tuple(moves))


def at_table(score: RoundScore, facts: Round) -> RoundScore:
    """Return the score of a duel by the seats of the whole table."""
    present = facts.present
    scores = dict(zip(present, score.scores, strict=True))
    lines = (_back(line, present) for line in score.lines)
    return replace(
        score,
        winner=None if score.winner is None else present[score.winner],
        scores=tuple(scores.get(seat) for seat in range(len(facts.seats))),
        lines=tuple(replace(line, seat=present[line.seat]) for line in lines),
        warnings=tuple(finding_at_table(found, facts) for found in score.warnings),
    )


def finding_at_table(found: Problem, facts: Round) -> Problem:
    """Return a finding about a duel by the seats of the whole table."""
    moved = _back(found, facts.present)
    match found.path:
        case ("seats", int(seat), *rest):
            return replace(moved, path=("seats", facts.present[seat], *rest))
    return moved


def _back(found: Found, present: Sequence[int]) -> Found:
    facts = {
        name: present[value]
        if name in SEATS_IN_FACTS and isinstance(value, int) and value < len(present)
        else value
        for name, value in found.facts.items()
    }
    return replace(found, facts=facts)
