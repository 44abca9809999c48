"""The solver: the best arrangement of a hand, first melds, and ways to go out (RULES 5.5, 5.6).

Results are exact. All searches spend steps from a budget and raise E_TOO_MUCH beyond it.
"""

from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.lives import all_left, arrange_with_lives, has_lives
from scorekeeper.domain.solver.search import arrange, best_arrangements
from scorekeeper.domain.solver.together import arrange_together

__all__ = [
    "Arrangement",
    "all_left",
    "arrange",
    "arrange_together",
    "arrange_with_lives",
    "best_arrangements",
    "has_lives",
]
