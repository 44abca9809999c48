"""The changes that are allowed in a tournament: each is checked and returned as an event.

As in ``group.changes``, the use cases write these events, and imports call the same functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.tournament.draw import Draw
from scorekeeper.domain.tournament.plan import MAX_ENTRANTS, Plan, check_plan, encode_plan, refused
from scorekeeper.domain.tournament.scale import Performance
from scorekeeper.domain.tournament.state import Source, Tournament, all_of, encode_performances

MAX_WORTH = 1_000_000
MAX_WINS = 500


@dataclass(frozen=True)
class Entry:
    """Somebody who enters: a name, or two of a pair; a club if there is one."""

    names: tuple[str, ...]
    club: str = ""


# ---- plan ----------------------------------------------------------------------------


def plan(now: Tournament | None, planned: Plan, seed: str) -> Draft:
    """Return the event that begins a tournament."""
    if now is not None:
        raise refused("exists")
    check_plan(planned)
    return Draft("tournament", {"plan": encode_plan(planned), "seed": seed})


def replan(now: Tournament, planned: Plan) -> Draft | None:
    """Return the event that changes the plan, which is possible until the first draw."""
    if now.rounds:
        raise refused("begun")
    check_plan(planned)
    if now.entrants and planned.partners != now.plan.partners:
        raise refused("partners", "partners")
    return None if planned == now.plan else Draft("replanned", {"plan": encode_plan(planned)})


# ---- entrants ------------------------------------------------------------------------


def enter(
    now: Tournament, players: Sequence[str], texts: Mapping[str, str], entries: Sequence[Entry]
) -> Draft:
    """Return the event by which people or pairs enter; new names join the group.

    ``players`` are the names of the group's members, ``texts`` its texts, with the clubs.
    """
    if now.is_over:
        raise refused("over")
    if now.is_settled:
        raise refused("too_late")
    if not entries:
        raise refused("nobody", "entrants")
    if len(now.entrants) + len(entries) > MAX_ENTRANTS:
        raise refused("many", "entrants", most=MAX_ENTRANTS)
    names = {name: member for member, name in enumerate(players) if name}
    clubs = {texts.get(f"club.{club}", ""): club for club in range(now.clubs)}
    inside = {member for entrant in now.entrants for member in entrant.members}
    left = {one for each in now.entrants if each.left is not None for one in each.members}
    entered, words, count, next_club = [], dict[str, str](), len(players), now.clubs
    for place, entry in enumerate(entries):
        if len(entry.names) != now.plan.partners:
            facts = {"partners": now.plan.partners, "stated": len(entry.names)}
            raise refused("names", "entrants", place, **facts)
        for name in entry.names:
            if name not in names:
                names[name], words[f"member.{count}"] = count, name
                count += 1
            if names[name] in inside:
                why = "left" if names[name] in left else "twice"
                raise refused(why, "entrants", place, name=name)
            inside.add(names[name])
        if entry.club and entry.club not in clubs:
            words[f"club.{next_club}"] = entry.club
            clubs[entry.club] = next_club
            next_club += 1
        members = [names[name] for name in entry.names]
        club = clubs[entry.club] if entry.club else None
        entered.append({"members": members, "club": club, "since": len(now.rounds) + 1})
    return Draft("entered", {"entrants": entered}, words)


def check_entrant(now: Tournament, entrant: int, *path: str | int) -> None:
    """Raise RuleError if there is no entrant of this number."""
    if not 0 <= entrant < len(now.entrants):
        raise refused("entrant", *path, entrant=entrant + 1, count=len(now.entrants))


def withdraw(now: Tournament, entrant: int) -> Draft | None:
    """Return the event by which somebody leaves: they finish the round that is being played."""
    check_entrant(now, entrant)
    if now.is_finished:
        raise refused("over")
    if now.entrants[entrant].left is not None:
        return None
    return Draft("withdrawn", {"entrant": entrant, "after": len(now.rounds)})


def bring_back(now: Tournament, entrant: int) -> Draft | None:
    """Return the event by which somebody who left plays on from the next round."""
    check_entrant(now, entrant)
    if now.is_finished:
        raise refused("over")
    if now.entrants[entrant].left is None:
        return None
    if not now.admits(entrant):
        raise refused("too_late")
    return Draft("returned", {"entrant": entrant})


# ---- rounds --------------------------------------------------------------------------


def check_drawable(now: Tournament) -> None:
    """Raise RuleError unless the next round can be drawn."""
    if now.current:
        raise refused("open", number=now.current.number)
    if now.is_over:
        raise refused("over")


def drawn(now: Tournament, draw: Draw, seed: str, games: Sequence[str]) -> Draft:
    """Return the event of a drawn round with the games of its tables.

    Raises RuleError for a draw that cannot be played: somebody twice, left out or not entered, or
    tables of a wrong size.
    """
    check_drawable(now)
    number = len(now.rounds) + 1
    seated = [*(one for table in draw.tables for one in table), *draw.out]
    for entrant in seated:
        check_entrant(now, entrant, "tables")
        if not now.entrants[entrant].is_present(number):
            raise refused("gone", "tables", entrant=entrant + 1)
    sizes = {len(table) for table in draw.tables}
    smallest = 2 if now.plan.size == 2 else now.plan.size - 1
    if now.plan.pairing.winners_only and now.rounds and len(draw.tables) == 1:
        smallest = 2  # the final
    if len(set(seated)) < len(seated) or not sizes <= {*range(smallest, now.plan.size + 1)}:
        raise refused("draw", "tables")
    if not sizes and not now.plan.pairing.is_fixed:
        raise refused("draw", "tables")
    if not now.plan.pairing.winners_only:
        present = {n for n, one in enumerate(now.entrants) if one.is_present(number)}
        if present != set(seated):
            raise refused("draw", "tables")
    if len(games) != len(draw.tables) or len(set(games)) < len(games):
        raise refused("draw", "games")
    tables = [list(table) for table in draw.tables]
    payload = {"tables": tables, "out": list(draw.out), "seed": seed, "games": list(games)}
    return Draft("drawn", payload)


def undraw(now: Tournament) -> Draft:
    """Return the event that takes back a draw before any table has a result."""
    if now.current is None:
        raise refused("none_open")
    if now.current.results or now.current.typed:
        raise refused("played", number=now.current.number)
    return Draft("undrawn", {"round": now.current.number})


def check_table(now: Tournament, number: int, table: int) -> None:
    """Raise RuleError for a table that was not drawn; tables count from 0."""
    if not 1 <= number <= len(now.rounds):
        raise refused("no_round", "round", number=number, count=len(now.rounds))
    tables = len(now.rounds[number - 1].tables)
    if not 0 <= table < tables:
        raise refused("no_table", "table", number=number, table=table + 1, count=tables)


def result(
    now: Tournament,
    number: int,
    table: int,
    scores: Sequence[Performance | None] | None,
    source: Source,
) -> Draft | None:
    """Return the event that enters, corrects or (None) removes the result of a table.

    On a typed list some may be missing, unless the table had its result in a closed round.
    Returns None if it is so already.
    """
    check_table(now, number, table)
    one = now.rounds[number - 1]
    before = one.results.get(table)
    if scores is None:
        known = before or table in one.typed
        return Draft("result", _about(number, table, None, source)) if known else None
    entrants = len(one.tables[table])
    if len(scores) != entrants or not any(scores):
        raise refused("scores", "scores", count=entrants, stated=len(list(filter(None, scores))))
    complete = all_of(scores)
    if complete is None and (source == "game" or (one.closed and before)):
        raise refused("missing", number=number, tables=[table + 1])
    for place, score in enumerate(scores):
        if score is None:
            continue
        if score.wins < 0 <= score.hand_wins:  # typed: fewer in all than from the hand
            raise refused("hand_wins", "scores", place, "hand_wins")
        counts = (score.wins, score.hand_wins, len(score.left))
        if abs(score.worth) > MAX_WORTH or any(not 0 <= each <= MAX_WINS for each in counts):
            raise refused("score", "scores", place, most=MAX_WORTH)
        if any(not 0 <= points <= MAX_WORTH for points in score.left):
            raise refused("score", "scores", place, most=MAX_WORTH)
    if one.typed.get(table) == tuple(scores):
        return None
    if before and (before.performances, before.source) == (complete, source):
        return None
    return Draft("result", _about(number, table, encode_performances(scores), source))


def _about(number: int, table: int, scores: Any, source: Source) -> dict[str, Any]:
    return {"round": number, "table": table, "scores": scores, "source": source}


def close(now: Tournament, *, late: bool = False) -> Draft:
    """Return the event that closes the round; ``late`` tables may hand in their results later.

    A knockout cannot wait for late tables, because the next draw needs their winners.
    """
    if now.current is None:
        raise refused("none_open")
    missing = now.current.missing
    if missing and (not late or now.plan.pairing.winners_only):
        tables = [table + 1 for table in missing]
        raise refused("missing", number=now.current.number, tables=tables)
    return Draft("closed", {"round": now.current.number, "late": list(missing)})


def conclude(now: Tournament) -> Draft | None:
    """Return the event that ends the tournament before its last planned round."""
    if now.current:
        raise refused("open", number=now.current.number)
    return None if now.is_finished else Draft("concluded")
