"""The rule behind each finding, and where the source of the game at hand has it.

Sources are named by their tags: ``000`` to ``004``, ``001 8b`` for one system of [001], and DEC for
a decision of this project where a source is silent. The catalogues word clauses and sources.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scorekeeper.domain.errors import Problem

DEC = "dec"
ANY = "any"
"""The source of a rule that a table has taken over from another system."""
SOURCE_OF: Mapping[str, str] = {
    "romme-palast": "000",
    "german-family": "001 8a",
    "robber": "001 8b",
    "wiener": "001 8c",
    "american-continental": "001 8d",
    "luxembourg": "002",
    "gin-palast": "003",
    "knock-rummy": "004",
}
"""The source of each preset. The systems of the further sources cite none of these: what they
have in common with one of them is a decision there."""
SOURCES = ("000", "001", "002", "003", "004", DEC)

Place = tuple[str, str]
"""A source and the part of it, which may be empty: ``("001", "§ 8b")``."""
DECIDED: Place = (DEC, "")


def _all(**parts: str) -> Mapping[str, Place]:
    """Return a place in every source; the parts are named ``s001``."""
    return {tag: (tag, parts.get(f"s{tag}", "")) for tag in SOURCES[:-1]}


def _only(*tags: str, **parts: str) -> Mapping[str, Place]:
    """Return a place in these sources, and in those with a part."""
    named = {name.removeprefix("s"): part for name, part in parts.items()}
    return {tag: (tag[:3], named.get(tag, "")) for tag in (*tags, *named)}


def _of(tag: str, part: str = "") -> Mapping[str, Place]:
    """Return the only source of a rule, which other systems may take over as a house rule."""
    return {ANY: (tag, part)}


ROBBER = _of("001", "§ 8b")
VARIANTS = {"001 8c": "§ 8c", "001 8d": "§ 8d"}
"""The variants of [001] without laying out."""


@dataclass(frozen=True)
class Cited:
    """A clause of RULES, the findings that cite it, and its place in each source.

    A finding is a code, or a code with its reason: ``E_KNOCK_LIMIT.oklahoma``. In a source that
    ``places`` does not have, the clause is a decision.
    """

    clause: str
    findings: tuple[str, ...]
    places: Mapping[str, Place] = field(default_factory=dict)


TABLE: tuple[Cited, ...] = (
    Cited("3.3", ("E_MELDS_PER_TURN",), _of("002")),
    Cited("3.3 lay off", ("E_LAYOFF.none", "E_LAYOFF.others"),
          _only("000", "001", "002", "004", **VARIANTS)),
    Cited("3.4 others", ("E_RULE_OFF.put_down",),
          _only("000", "002", "003", "004", **{"001 8a": "§ 8a", "001 8d": "§ 8d"})),
    Cited("5", ("E_MELD_SHORT",), _all()),
    Cited("5.1", ("E_SET",), _all()),
    Cited("5.2", ("E_RUN",), _all(s001="§ 7i")),
    Cited("5.2.rainbow", tuple(f"E_RUN.rainbow_{why}" for why in (
        "length", "suit_twice", "colours", "gap")), _of("003", "Regenbogen")),
    Cited("5.3.1", ("E_MIN_NATURALS",), _only("000", "001")),
    Cited("5.3.2", (), _only("000", "001", s003="Joker")),
    Cited("5.3.3", ("E_JOKER_UNDECLARED",), _only("001")),
    Cited("5.3.4", ("E_JOKER_AMBIGUOUS", "E_LAYOFF.joker_ambiguous"), _of("000")),
    Cited("5.3.5", ("E_JOKER_ADJACENT", "E_LAYOFF.joker_adjacent"), _of("000")),
    Cited("5.3.6", ("W_JOKER_UNPINNED", "E_JOKER_UNDECLARED.pinned"), _of("001", "§ 7l")),
    Cited("5.5", ("E_FIRST_MIN",), {**_of("001", "§ 7f"), **_only("000")}),
    Cited("5.6", ("W_BETTER_ARRANGEMENT",)),
    Cited("6.1", ("E_SUIT_NEEDED",)),
    Cited("6.1 off", ("E_RULE_OFF",)),
    Cited("6.1 hand", ("E_HAND_MISSING",), _all()),
    Cited("6.1 laid", ("E_LAID_MISSING",)),
    Cited("more 5.2", ("E_MELD_SHORT.run",)),
    Cited("more 5.7", ("E_CONTRACT",)),
    Cited("more 6.6", ("E_KLOPFEN_LIMIT",)),
    Cited("more 7.5", ("E_PLAN_ROW",)),
    Cited("6.1 misdeal", ("W_CANCELLED",)),
    Cited("6.4 announced", ("W_ANNOUNCED",), _of("003", "Auslegen")),
    Cited("6.6.1", ("E_DUPLICATE_CARD", "E_POINTS.aces"), _all()),
    Cited("6.6.1 caught", ("E_DUPLICATE_CARD.caught",), _of("003", "Glas auffangen")),
    Cited("6.6.1 jokers", ("E_TOO_MANY_JOKERS", "E_JOKER_NOT_IN_DECK"),
          _all(s001="§ 7d", s003="Joker")),
    Cited("6.6.2", ("E_CARD_TWICE", "E_NOT_IN_HAND")),
    Cited("6.6.3", ("E_HAND_COUNT", "W_HAND_COUNT"), _all(s001="§ 7b")),
    Cited("6.6.4", ("E_TWO_OUT",), _only("000", "001", "002")),
    Cited("6.6.5", ("E_REST_TOO_HIGH",), _only("000", "002", s001="§ 7k", **VARIANTS)),
    Cited("6.6.6", ("E_HANDROMME_NOT_FIRST",), _only("000", s001="§ 5")),
    Cited("6.6.6 off", ("E_HANDROMME_OFF",)),
    Cited("6.6.6 lay off", ("E_HANDROMME_LAYOFF",), _only("000", s001="§ 5")),
    Cited("6.6.6 checked", ("W_HANDROMME_UNCHECKED",)),
    Cited("6.6.10", ("E_POINTS", "W_POINTS_IMPOSSIBLE"), _all()),
    Cited("7.4.1", ("E_KNOCK_LIMIT",), _only("003")),
    Cited("7.4.1 oklahoma", ("E_KNOCK_LIMIT.oklahoma", "E_OKLAHOMA_CARD"), _of("003", "Oklahoma")),
    Cited("7.4.3", ("E_LAYOFF", "E_LAYOFF.no_meld"), _only("000", "001", "002", s003="Auslegen")),
    Cited("7.4.3 rainbow", ("E_LAYOFF.rainbow",), _of("003", "Regenbogen")),
    Cited("7.4.3 knocker", ("E_LAYOFF_KNOCKER",), _of("003", "Auslegen")),
    Cited("7.4.3 gin", ("E_LAYOFF_GIN",)),
    Cited("7.4.4", ("E_TEDESCO_DRAW",), _of("003", "Tedesco")),
    Cited("7.4.11", ("E_GLASS",), _of("003", "Glas auffangen")),
    Cited("7.6", ("E_RULE_OFF.void",), _only("002", "003", "004", s001="§ 5")),
    Cited("9.2", ("E_NOT_ZERO_SUM",)),
    Cited("more 5.4", ("E_CARD_NOT_IN_DECK",)),
    Cited("more 5.5", ("E_WILD_RANK",)),
    Cited("more 5.6", ("E_LIVES", "W_LIVES_UNCHECKED")),
    Cited("more 7.3 cap", ("E_POINTS.cap",)),
    Cited("more 7.3.2", ("E_DROP",)),
    Cited("more 7.3.6", ("E_ONE_RUN",)),
    Cited("more 8.2", ("E_ELIMINATED",)),
    Cited("more 8.2 back", ("E_REJOIN",)),
    Cited("10 laying", ("E_NO_LAYING",), _only("004", s003="Auslegen", **VARIANTS)),
    Cited("10.1 T1", ("E_CARD_NOT_RELAID", "E_CARD_FROM_NOWHERE"), _only(**{"001 8b": "§ 8b"})),
    Cited("10.1 T2", ("E_STOLEN_TO_HAND",), ROBBER),
    Cited("10.1 T4", ("E_NOT_LAID.rob",), ROBBER),
    Cited("10.1 T5", ("W_NO_HAND_CARD",)),
    Cited("10.2", ("E_STEAL_LEAVES_INCOMPLETE", "E_CARD_FROM_NOWHERE.not_in_meld"), ROBBER),
    Cited("10.3", ("E_REARRANGE",), _only("000", "001", "002")),
    Cited("10.3 swap", ("E_SWAP_MISMATCH",), _only("000", s001="§ 5c")),
    Cited("10.3 whose", ("E_SWAP_NOT_ALLOWED",), _only("000", "001")),
    Cited("10.3 gained", ("E_JOKER_TO_HAND",), {**_of("000"), "001 8b": ("001", "§ 8b")}),
    Cited("10.3 first", ("E_NOT_LAID",), _only("000", s001="§ 5")),
    Cited("10.4 hand", ("E_NOT_LAID.hand_romme",), _only("000", s001="§ 5")),
    Cited("10.4 swap", ("E_HANDROMME_LAYOFF.swap", "E_NOT_LAID.hand_romme_swap")),
    Cited("10.4 turn", ("E_NOT_IN_TURN",), _only("000")),
    Cited("10.4 calls", ("E_NOT_IN_TURN.hirschn", "E_NOT_IN_TURN.glass", "E_NOT_IN_TURN.knock"),
          {**_of("003"), **_only("004")}),
    Cited("10.4 claim", ("E_KLOPFEN_OFF",), {**_of("000", "Klopfen"), **_only(s001="§ 9a")}),
    Cited("10.4 claim early", ("E_KLOPFEN_TOO_EARLY",), _of("000", "Klopfen")),
    Cited("10.4 claim consent", ("E_KLOPFEN_REFUSED",), _of("001", "§ 9a")),
    Cited("10.4 claim melded", ("E_KLOPFEN_NOT_MELDED",), _of("001", "§ 9a")),
    Cited("10.4 penalty", ("E_CLAIM_PENALTY",),
          {**_of("000", "Klopfen"), **_only(s001="§ 9a")}),
    Cited("10.4 two", ("E_DRAWN_COUNT",), _of("001", "§ 9j")),
    Cited("10.4 draw", ("E_NOT_DRAWN", "E_DRAWN_TWICE", "E_DRAW_FIRST"), _only("000", "002")),
    Cited("10.4 taken", ("E_DISCARD_NOT_MELDED",), _of("001", "§ 8b")),
    Cited("10.4 returned", ("E_RETURNED", "W_RETURNED"), _of("002")),
    Cited("10.4 discard", ("E_DISCARD_MISSING", "E_DISCARD_REQUIRED", "W_DISCARD_UNKNOWN"),
          _all(s001="§ 7h")),
    Cited("10.4 glass", ("E_GLASS_AGAIN",), _of("003", "Glas auffangen")),
    Cited("10.4 hirschn", ("E_HIRSCHN",), _of("003", "Hirschn!")),
)  # fmt: skip
"""Every finding of the rules with its clause and its places.

A clause without places is a decision everywhere, as is one for a source that has no place.
"""

BY_CLAUSE: Mapping[str, Cited] = {row.clause: row for row in TABLE}
BY_FINDING: Mapping[str, Cited] = {name: row for row in TABLE for name in row.findings}


def clause_of(code: str, why: object = None) -> str | None:
    """Return the clause that a finding cites; None if it is not about a rule of the game."""
    row = BY_FINDING.get(f"{code}.{why}") or BY_FINDING.get(code)
    return row.clause if row else None


def clause_behind(problem: Problem) -> str | None:
    """Return the clause of a finding: by the table, else the one that it states."""
    stated = problem.facts.get("clause")
    return clause_of(problem.code, problem.facts.get("why")) or (str(stated) if stated else None)


def place_of(clause: str, preset: str | None) -> Place | None:
    """Return where the source of a rule system has a clause: its tag and the part of it.

    Without a rule system it is None, unless the clause is a decision everywhere.
    """
    row = BY_CLAUSE.get(clause)
    places = row.places if row else {}
    if preset is None:
        return None if places else DECIDED
    return next((places[tag] for tag in _tags(preset) if tag in places), DECIDED)


def _tags(preset: str) -> Iterator[str]:
    """Yield the sources to look in, the closest first: ``001 8b``, ``001``, any other."""
    source = SOURCE_OF.get(preset)
    if source:
        yield from (source, source[:3], ANY)
