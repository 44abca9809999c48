"""Wording of the end of an evening: how it was won and how it came about."""

from collections.abc import Iterator, Sized
from dataclasses import dataclass

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.game.story import Moment, ahead_since, highlights
from scorekeeper.i18n import Language


@dataclass(frozen=True)
class HighlightLine:
    """A moment of the evening: its round, and a sentence whose beginning is set in bold."""

    number: int
    head: str
    rest: str


def winner_names(game: Game) -> tuple[str, ...]:
    """Return who has won, one name each also in teams; nobody before the first round."""
    if game.rules.teams:
        return tuple(name for side in game.sheet.leaders for name in game.players[side::2])
    return tuple(game.sides[side] for side in game.sheet.leaders)


def people(game: Game, sides: Sized) -> int:
    """Return the number of people on some sides; a team has two."""
    return len(sides) * len(game.players) // len(game.sides)


def who_beat_whom(game: Game, lang: Language) -> str:
    """Return the result in a sentence: ``Anna gewann gegen Bernd und Claire``."""
    winners = game.sheet.leaders
    others = [name for side, name in enumerate(game.sides) if side not in winners]
    if not winners:
        return lang("home.not_played", players=lang.all_of(others))
    names = lang.all_of(game.sides[side] for side in winners)
    if not others:
        return lang("home.level", players=names)
    return lang("home.won", n=people(game, winners), winners=names, others=lang.all_of(others))


def how_won(game: Game, lang: Language) -> str:
    """Return the winner's points, the rounds they won, and since when they were ahead."""
    return ", ".join(_how_won(game, lang))


def _how_won(game: Game, lang: Language) -> Iterator[str]:
    sheet, measure = game.sheet, game.rules.rank.measure
    if not sheet.leaders:
        return
    tally = sheet.tallies[sheet.leaders[0]]
    yield lang("end.how.minus" if measure == "minus" else "end.how.plus", n=tally.of(measure))
    if len(sheet.leaders) > 1:
        return
    if tally.won:
        yield lang("end.how.won", n=tally.won)
    since = ahead_since(sheet)
    if since == sheet.counted[0].number:
        yield lang("end.how.first")
    elif since is not None:
        yield lang("end.how.since", round=since)


def set_behind(game: Game, lang: Language) -> Iterator[str]:
    """Yield a sentence for each player ranked after others with worse points, and why."""
    sheet = game.sheet
    rounds = sheet.scored
    for side in sheet.set_behind:
        played = sheet.tallies[side].played
        yield lang("end.behind", player=game.sides[side], n=played, rounds=rounds)


def highlight_lines(game: Game, lang: Language) -> list[HighlightLine]:
    """Return the three or four moments that decided the evening."""
    lines = []
    for moment in highlights(game.sheet):
        words = moment_words(f"end.story.{moment.code}", game, moment, lang)
        head, _, rest = words.partition("\n")
        lines.append(HighlightLine(moment.facts["round"], head, rest))
    return lines


TAKES_THE_LEAD = ("turning_point", "lead")
"""Moments whose verb depends on how many people are on the side."""


def moment_words(key: str, game: Game, moment: Moment, lang: Language) -> str:
    """Return a moment of an evening in words; some have a key of their own for special points."""
    facts = moment.facts
    sides = {
        name: game.sides[facts[fact]]
        for fact, name in (("side", "player"), ("before", "before"))
        if fact in facts
    }
    points = facts.get("points", 0)
    if moment.code == "biggest" and (game.rules.rank.measure == "minus" or points < 0):
        key += ".minus"
    elif moment.code in ("closest", "gap", "last") and not points:
        key += ".level"
    n = abs(points)
    if moment.code in TAKES_THE_LEAD:
        n = people(game, game.sides[:1])
    return lang(key, **{**facts, **sides, "n": n})
