"""Points without a round: a starting score for a newcomer, a penalty, a present."""

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game


def give(
    game: Game, side: int, *, minus: int = 0, plus: int = 0, start: bool = False, note: str = ""
) -> Draft:
    """Return the event that gives points to a side; what is taken off a tally is negative.

    Raises RuleError E_GIVEN for a side that does not exist, for no points, for more than there is
    to take off, for a starting score of somebody who has played, where all points must add up to
    zero because they are settled as they are, and in Hollywood, where no column would take them.
    """
    sheet = game.sheet
    if not 0 <= side < sheet.sides:
        raise RuleError("E_GIVEN", ("side",), why="side", sides=sheet.sides)
    if not (minus or plus):
        raise RuleError("E_GIVEN", (), why="none")
    if game.rules.settle.mode == "balance":
        raise RuleError("E_GIVEN", (), why="balance")
    if game.rules.gin.hollywood:
        raise RuleError("E_GIVEN", (), why="hollywood")
    tally = sheet.tallies[side]
    if start and tally.played:
        raise RuleError("E_GIVEN", ("start",), why="played", seat=side)
    for name, points, total in (("minus", minus, tally.minus), ("plus", plus, tally.plus)):
        if total + points < 0:
            raise RuleError("E_GIVEN", (name,), why="too_much", most=total)
    about = {"side": side, "minus": minus, "plus": plus, "start": start}
    payload = {name: value for name, value in about.items() if name == "side" or value}
    return Draft("given", payload, {note_field(game.version + 1): note} if note else {})


def note_field(event: int) -> str:
    """Return the field of the note on points, by the number of their event."""
    return f"given.{event}"


def take_back(game: Game, event: int) -> Draft:
    """Return the event that takes back points; raise KeyError if that event gave none."""
    if event not in {one.event for one in game.sheet.given}:
        raise KeyError(event)
    return Draft("taken_back", {"given": event})


def starting_scores(sheet: Sheet, measure: str) -> tuple[int, ...]:
    """Return what a newcomer may begin with: the worst total so far, and the average.

    The average is rounded to the side of those who play already. Nothing before the first round.
    """
    totals = [tally.worth(measure) for tally in sheet.tallies if tally.played]
    if not totals:
        return ()
    sign = -1 if measure == "minus" else 1
    worst, average = min(totals), sum(totals) // len(totals)
    return tuple(dict.fromkeys((sign * worst, sign * average)))
