"""Imports of everything that jobs need.

The fork server loads this module once; new workers are forked from it and start at once.
"""

import scorekeeper.domain.referee.verdicts
import scorekeeper.domain.rounds.scoring
import scorekeeper.pdf.card
import scorekeeper.pdf.pad
import scorekeeper.pdf.season
import scorekeeper.pdf.sheet
import scorekeeper.pdf.statement  # noqa: F401
