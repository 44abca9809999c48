"""The solver: the best arrangement of a hand, first melds, and ways to go out (RULES 5.5, 5.6).

Results are exact. All searches spend steps from a budget and raise E_TOO_MUCH beyond it.
"""

from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.search import arrange, best_arrangements
from scorekeeper.domain.solver.together import arrange_together

__all__ = ["Arrangement", "arrange", "arrange_together", "best_arrangements"]
