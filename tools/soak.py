"""Holds the solver against the naive one for as long as one likes: ``make soak``.

The hands, rules and tables are drawn as in the tests, a thousand at a time, each thousand by
a seed of its own: a hand that differs ends the run, and its seed finds it again at once.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.strategies import SearchStrategy, just, tuples

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from domain.test_solver import hands, rule_sets, tables
from naive import Lying, Naive
from scorekeeper.domain.cards import Card
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.solver import arrange

THOUSAND = 1000

Case = tuple[Sequence[Card], RuleSet, Sequence[Meld], tuple[Lying, ...]]


def main() -> None:
    """So many hands, and a quarter as many with melds on the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("hands", type=int, nargs="?", default=100_000)
    asked.add_argument("--seed", type=int, default=1, help="that of the first thousand")
    arguments = asked.parse_args()
    alone = tuples(hands(), rule_sets(), just(()), just(()))
    done, last = 0, arguments.seed - 1
    while done < arguments.hands:
        last += 1
        done += compared(alone, last, THOUSAND)
        compared(tables(), last, THOUSAND // 4)
        told = f"{done:,} of {arguments.hands:,} hands, and tables too, seed {last}"
        print(told, end="\r" if sys.stdout.isatty() else "\n", flush=True)
    print(f"None of {done:,} hands differs, seeds {arguments.seed} to {last}.")


def compared(cases: SearchStrategy[Case], number: int, count: int) -> int:
    """Draw so many cases and compare both solvers; how many there were."""
    met = 0

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def compare(case: Case) -> None:
        nonlocal met
        met += 1
        hand, rules, table, lying = case
        ours = arrange(hand, rules, table).points
        naive = Naive(rules).least([str(card) for card in hand], lying)
        assert ours == naive, f"{ours}, not {naive}: {' '.join(map(str, hand))}; {table}; {rules}"

    compare()
    return met


if __name__ == "__main__":
    main()
