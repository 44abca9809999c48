"""Groups that scorekeeper would not have written are refused at the event that is wrong."""

import json
from typing import Any

import pytest

from forged_exports import sealed, whole_club
from scorekeeper.domain.errors import RuleError
from scorekeeper.services import groups, imports
from scorekeeper.store import open_ledger
from scorekeeper.store.writes import Write
from transfers import sent

pytestmark = pytest.mark.sqlite  # refused before anything is written
Json = dict[str, Any]
Place = tuple[str | int, ...]


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A group with all kinds of entries, without its evenings."""
    ledger = open_ledger(tmp_path_factory.mktemp("valid") / "groups.sqlite")
    group = whole_club(ledger)
    groups.keep_rating(ledger, group, True, Write())
    groups.retire_member(ledger, group, 2, True, Write())
    groups.retire_member(ledger, group, 2, False, Write())
    export, _ = sent(ledger, group)
    ledger.close()
    return json.dumps(export)


def nth(export: Json, kind: str, place: int) -> Json:
    found: Json = [one for one in export["events"] if one["kind"] == kind][place]
    return found


FORGED: list[tuple[str, int, Place, Any]] = [
    ("founded", 0, ("members",), "3"),
    ("founded", 0, ("members",), True),
    ("founded", 0, ("members",), -1),
    ("founded", 0, ("members",), 2),
    ("founded", 0, ("house", "preset"), "whist"),
    ("founded", 0, ("house", "options", "joker.hand_value"), 10**6),
    ("founded", 0, ("more",), 1),
    ("game", 0, ("game",), "../x"),
    ("game", 0, ("members",), [1]),
    ("game", 0, ("members",), [1, 1, 0]),
    ("game", 0, ("members",), [1, 2.0, 0]),
    ("game", 0, ("members",), [1, 2, 9]),
    ("game", 0, ("training",), 0),
    ("booked", 0, ("game",), "abcdefghij"),
    ("booked", 0, ("unit",), "\u202e"),
    ("booked", 0, ("unit",), "EUR"),
    ("booked", 0, ("payable",), "0"),
    ("booked", 0, ("payable",), "1.0"),
    ("booked", 0, ("moves",), []),
    ("booked", 0, ("moves", 0, 2), "0"),
    ("booked", 0, ("moves", 0, 2), "316.0"),
    ("booked", 0, ("moves", 0, 2), "9" * 200),
    ("booked", 0, ("moves", 0, 0), True),
    ("booked", 0, ("moves", 0), [0, "ct", "315", 1]),
    ("booked", 2, ("unit",), "EUR"),
    ("member", 0, ("member",), 4),
    ("renamed", 0, ("member",), "0"),
    ("renamed", 0, ("member",), False),
    ("renamed", 0, ("member",), 9),
    ("details", 0, ("fields",), []),
    ("paid", 0, ("to",), 2),
    ("paid", 0, ("amount",), "-256"),
    ("paid", 0, ("moves", 0, 2), "255"),
    ("reversed", 0, ("number",), 0),
    ("reversed", 0, ("number",), -11),
    ("reversed", 0, ("number",), -1),
    ("reversed", 0, ("number",), 10.0),
    ("reversed", 0, ("number",), 10**30),
    ("reversed", 0, ("number",), 9),
    ("reversed", 0, ("number",), 11),
    ("reversed", 0, ("number",), 99),
    ("reversed", 0, ("number",), True),
    ("reversed", 0, ("of",), "rate"),
    ("rate", 0, ("rate",), "0"),
    ("rate", 0, ("rate",), "102/2"),
    ("rate", 0, ("in",), "DM"),
    ("rate", 0, ("unit",), "\u202e"),
    ("converted", 0, ("in",), "EUR"),
    ("converted", 0, ("rate",), "50"),
    ("settled", 0, ("unit",), "DM"),
    ("house", 0, ("house", "preset"), "whist"),
    ("house", 0, ("house", "options", "family"), "lay"),
    ("house", 0, ("more",), 1),
    ("rating", 0, ("on",), 1),
    ("rating", 0, ("on",), False),
    ("retired", 0, ("member",), True),
    ("retired", 0, ("member",), 9),
    ("reinstated", 0, ("member",), 0),
    ("erased", 0, ("member",), True),
    ("erased", 0, ("member",), -3),
    ("erased", 0, ("member",), 2),
]


@pytest.mark.parametrize(
    ("kind", "which", "place", "to"),
    FORGED,
    ids=[
        f"{kind} {which} {'.'.join(map(str, place))} {to!r:.9}" for kind, which, place, to in FORGED
    ],
)
def test_a_forged_entry_of_a_group_is_refused(
    valid: str, kind: str, which: int, place: Place, to: Any
) -> None:
    export = json.loads(valid)
    event = nth(export, kind, which)
    holder: Any = event["payload"]
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = to
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(export), [])

    assert refused.value.problems[0].path[:2] == ("events", event["number"] - 1)
