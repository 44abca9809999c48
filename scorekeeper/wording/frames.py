"""A correction of an evening's frame in words, for its form and its history."""

from collections.abc import Collection, Iterator

from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language


def frame_in_words(game: Game, new: Frame, lang: Language) -> Iterator[str]:
    """Yield a sentence for each part of a frame that differs from the game before it."""
    players = game.with_stand_ins(lang.seat).players
    for name, text in new.words.items():
        yield lang(f"frame.new.{name}", text=text or lang("frame.none"))
    for seat, name in new.names.items():
        before = players[seat] if seat < len(players) else ""
        yield lang("frame.new.name", player=name or lang.seat(seat), before=before)
    players = tuple(new.names.get(seat, name) for seat, name in enumerate(players))
    if new.began:
        yield lang("frame.new.began", date=lang.date(new.began), time=lang.time(new.began))
    if new.order:
        yield lang("frame.new.order", players=lang.all_of([players[seat] for seat in new.order]))
    for number, seat in sorted(new.dealers.items()):
        if 0 <= seat < len(players):  # a form may name any seat
            yield lang("frame.new.dealer", number=number, player=players[seat])
    if new.rules:
        yield from rules_in_words(game.rules, new.rules, lang)


def rules_in_words(
    before: RuleSet, now: RuleSet, lang: Language, without: Collection[str] = ()
) -> Iterator[str]:
    """Yield a sentence for each option that has changed, ``without`` some groups of options."""
    if now is before:
        return
    for name in now.names():
        if now[name] != before[name] and name.partition(".")[0] not in without:
            rule = lang.rule_sentence(name, now[name])
            yield lang("frame.new.rule", rule=rule, value=lang.value(name, before[name]))
