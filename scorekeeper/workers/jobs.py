"""What the workers do, imported before the first of them starts.

A new worker is a copy of a process that has this module, so it need not load it again.
"""

import scorekeeper.domain.scoring
import scorekeeper.domain.verdicts
import scorekeeper.pdf.card
import scorekeeper.pdf.pad
import scorekeeper.pdf.season
import scorekeeper.pdf.sheet
import scorekeeper.pdf.statement  # noqa: F401
