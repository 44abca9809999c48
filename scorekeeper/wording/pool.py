"""Players who are out, and who come back: the words beside their columns and rounds."""

from collections.abc import Iterator, Sequence

from scorekeeper.domain.game.elimination import total
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language


def place(game: Game, side: int, lang: Language) -> str:
    """Return when a side went out, or how far it is from the limit; nothing without one."""
    rules, tally = game.rules, game.sheet.tallies[side]
    if tally.out:
        return lang("pages.board.out", number=tally.out)
    if not rules.end.eliminate or rules.end.points is None:
        return ""
    return lang("pages.board.left", n=rules.end.points - total(tally, rules))


def fell(row: Row, side: int) -> bool:
    """Return whether a side went out with this round."""
    return row.struck_at is None and side < len(row.tallies) and row.tallies[side].out == row.number


def is_gone(row: Row, side: int) -> bool:
    """Return whether a side was out before this round."""
    return side < len(row.tallies) and 0 < row.tallies[side].out < row.number


def who_went(game: Game, row: Row, names: Sequence[str], lang: Language) -> Iterator[str]:
    """Yield who went out with this round, and with what they came back into the next one."""
    if not row.rules.end.eliminate:
        return
    after = next((one for one in game.sheet.counted if one.number > row.number), None)
    stay = []
    for side in (side for side in range(len(names)) if fell(row, side)):
        reached = total(row.tallies[side], row.rules)
        if after and side in after.round.rejoin:
            start = reached + after.adjusted[side]
            yield lang("pages.board.came_back", player=names[side], n=reached, start=start)
        else:
            stay.append((names[side], reached))
    if len(stay) == 1:
        yield lang("pages.board.went", player=stay[0][0], n=stay[0][1])
    elif stay:
        each = [lang("pages.board.one_out", player=name, n=reached) for name, reached in stay]
        yield lang("pages.board.went_together", players=lang.all_of(each))


def may_return(game: Game, lang: Language) -> Iterator[str]:
    """Yield who may come back before the next round, and with what."""
    for seat, start in ({} if game.is_over else game.sheet.standing.returning).items():
        yield lang("pages.board.may_return", player=game.players[seat], n=start)
