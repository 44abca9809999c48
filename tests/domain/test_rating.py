"""The rating of members, also as openskill computes it."""

import random
from itertools import combinations

import pytest
from openskill.models import BradleyTerryFull

from scorekeeper.domain.group.rating import BEGIN, NEWCOMER, Pair, ratings


def evening(ranks: dict[int, int]) -> list[Pair]:
    """Return the pairs of an evening with these ranks by member."""
    return [Pair(one, other, ranks[one], ranks[other]) for one, other in combinations(ranks, 2)]


@pytest.mark.parametrize("seed", range(10))
def test_ratings_are_those_of_openskill(seed: int) -> None:
    dice, model = random.Random(seed), BradleyTerryFull()
    theirs = {member: model.rating() for member in range(8)}
    evenings = []
    for _ in range(60):
        members = sorted(dice.sample(range(8), dice.randint(2, 8)))
        ranks = {member: dice.randint(1, 4) for member in members}  # some share a place
        evenings.append(evening(ranks))
        rated = model.rate([[theirs[member]] for member in members], ranks=list(ranks.values()))
        theirs |= {member: team[0] for member, team in zip(members, rated, strict=True)}

    ours = ratings(evenings)

    assert {member: (one.strength, one.doubt) for member, one in ours.items()} == {
        member: pytest.approx((one.mu, one.sigma)) for member, one in theirs.items()
    }


def test_who_met_nobody_has_no_rating_and_a_newcomer_begins_at_1000() -> None:
    assert ratings([]) == ratings([[]]) == {}
    assert NEWCOMER.shown == BEGIN == 1000


def test_finishing_ahead_of_a_strong_member_brings_more() -> None:
    before = [evening({0: 1, 1: 2})] * 20
    met = ratings([*before, evening({0: 2, 2: 1}), evening({1: 2, 3: 1})])

    assert met[2].shown > met[3].shown > BEGIN
    assert met[0].shown > met[1].shown


def test_the_order_of_pairs_does_not_matter() -> None:
    pairs = evening({0: 1, 1: 2, 2: 2, 3: 4})
    turned = [Pair(other, one, theirs, own) for one, other, own, theirs in reversed(pairs)]

    assert {member: one.shown for member, one in ratings([pairs]).items()} == {
        member: one.shown for member, one in ratings([turned]).items()
    }
