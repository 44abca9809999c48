"""Who plays a round, and how they sit: enough players, not too many, at gin only two of three."""

from collections.abc import Iterator

from scorekeeper.domain.errors import Problem, problem
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules import RuleSet


def check_order(facts: Round, players: int) -> Iterator[Problem]:
    """Check that the order in which the players sat names seats of the table, each once."""
    for place, seat in enumerate(facts.order):
        if seat >= players:
            yield problem("E_FORM", ("order", place), why="no_seat", seat=seat)
        elif seat in facts.order[:place]:
            yield problem("E_FORM", ("order", place), why="duplicate", name=str(seat))


def check_absences(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that as many play the round as play at once, and that nobody absent has facts.

    Whoever comes back must have a seat.
    """
    absent = [seat for seat in range(len(facts.seats)) if seat not in facts.present]
    present, most = len(facts.present), rules.at_once
    if absent and rules.family == "gin" and len(facts.seats) <= most:
        yield problem("E_FORM", ("seats", absent[0], "absent"), why="absent_gin", seat=absent[0])
    elif facts.seats and rules.family == "gin" and present != most:
        yield problem("E_FORM", ("seats",), why="sits_out", count=present, most=most)
    elif present > most:
        yield problem("E_FORM", ("seats",), why="too_many", count=present, most=most)
    elif absent and present < 2:
        yield problem("E_FORM", ("seats",), why="too_few", count=present)
    for seat in absent:
        if facts.seats[seat] != Seat(absent=True):
            yield problem("E_FORM", ("seats", seat), why="absent_with_facts", seat=seat)
    if facts.counts and rules.end.rejoin != "none":
        for place, seat in enumerate(facts.rejoin):
            if seat >= len(facts.seats):
                yield problem("E_FORM", ("rejoin", place), why="no_seat", seat=seat)
            elif seat in facts.rejoin[:place]:
                yield problem("E_REJOIN", ("rejoin", place), why="twice", seat=seat)
