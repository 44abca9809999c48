"""The history of a game: every change in words."""

from fractions import Fraction
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from scorekeeper.domain.game.frame import read_frame
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.services import games
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import game_or_404, page, pages
from scorekeeper.web.pages.entry.views import points_in_words
from scorekeeper.web.pages.settlement import payable_amount
from scorekeeper.wording.frames import frame_in_words
from scorekeeper.wording.given import given_words

CHANGES = ("round", "corrected", "struck")
RECENT = 6
"""Changes that a wide screen shows beside the pad."""


def what_happened(game: Game, row: Row) -> str:
    """Return how a round ended, and its points, in words."""
    lang, mark = language(), ending(row.score, row.round)
    if mark is None:
        return points_in_words(game, row.score)
    player = game.sides[mark.side]
    if mark.name == "out":
        return lang("pages.entry.went_out", player=player)
    word = lang(f"mark.word.{mark.name}")
    points = points_in_words(game, row.score)
    return lang("pages.news.knock", player=player, word=word, points=points)


class HistoryEntry(NamedTuple):
    """A change in words."""

    at: str
    words: str
    before: str = ""
    after: str = ""
    by: str = "pen"
    """The right it was written with: ``pen`` or ``host``; only the latter is shown."""


def recent(game: Game) -> list[HistoryEntry]:
    """Return the last changes of rounds, newest first, from the sheet: no event is read."""
    lang = language()
    changes = (
        (at, row.number, kind, row)
        for row in game.sheet.rows
        for kind, at in zip(CHANGES, (row.at, row.corrected_at, row.struck_at), strict=True)
        if at
    )
    return [
        HistoryEntry(
            at=at,
            words=lang(f"pages.history.{kind}", number=number),
            after=what_happened(game, row) if kind == "round" else "",
        )
        for at, number, kind, row in nlargest(RECENT, changes, key=itemgetter(0, 1))
    ]


@pages.get("/g/<game_id>/history")
def history(game_id: str) -> str:
    """Show every change: when, before and after, and whether the host made it; newest first."""
    game = game_or_404(game_id)
    changes = [change_in_words(game, change) for change in games.history(ledger(), game_id)]
    return page("history.html", game=game, entries=changes[::-1])


def change_in_words(game: Game, change: games.Change) -> HistoryEntry:
    """Return a change of the game in words."""
    event, lang = change.event, language()
    facts = {name: event.payload[name] for name in ("number", "amount") if name in event.payload}
    for name, key in (("payer", "from"), ("payee", "to"), ("player", "side")):
        if key in event.payload:
            facts[name] = game.sides[event.payload[key]]
    if "seat" in event.payload:
        facts["player"] = game.players[event.payload["seat"]]
    if "amount" in facts:
        facts["amount"] = payable_amount(game, Fraction(facts["amount"]))
    if event.kind == "frame":
        words = frame_in_words(change.then or game, read_frame(event), lang)
        facts = {"words": " ".join(f"{word.rstrip('.')}." for word in words)}
    if event.kind == "given":
        one = next((one for one in game.sheet.given if one.event == event.number), None)
        facts = {"words": given_words(game, one, lang) if one else lang("given.none")}
    if event.kind == "details":
        facts["words"] = lang.all_of(filter(None, event.texts.values())) or "–"
    kind = event.kind
    if "in_place_of" in event.payload:
        kind, facts["other"] = "player_for", game.players[event.payload["in_place_of"]]
    if kind == "created" and "dealer" in event.payload:
        kind, facts["player"] = "created_drawn", game.players[event.payload["dealer"]]
    elif kind == "account":
        kind = "account_kept" if event.payload["kept"] else "account_erased"
    elif kind == "erased" and "seat" not in event.payload:
        kind = "words_erased"
    elif kind == "secret" and event.payload["right"] == "paper":
        kind = "paper_withdrawn" if "withdrawn" in event.payload else "paper_given"
    elif kind == "secret":
        facts["right"] = lang(f"pages.right.{event.payload['right']}")
    rewritten = event.kind == "corrected"
    shows_after = rewritten or event.kind in ("round", "inserted", "restored")
    return HistoryEntry(
        at=event.at,
        by=event.by,
        words=lang(f"pages.history.{kind}", **facts),
        before=points_in_words(game, change.before.score)
        if change.before and (rewritten or event.kind == "struck")
        else "",
        after=points_in_words(game, change.after.score) if change.after and shows_after else "",
    )
