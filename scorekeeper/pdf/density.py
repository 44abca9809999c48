"""The space between the parts of a score sheet: room to write, or less to fit one page."""

from dataclasses import dataclass, replace

from reportlab.lib.units import mm


@dataclass(frozen=True, kw_only=True)
class Density:
    """The heights of rows and gaps; letters stay as large."""

    gap: float
    heading: float
    row: float
    """A round of the table, if points and running total stand side by side."""
    total: float
    sums: float
    """The rows below the totals."""
    subheads: bool
    """Whether the columns of a player have names of their own."""
    remarks: float
    """The least share of the width for remarks."""
    running_text: bool
    """Whether the small print is a single paragraph, in the settlement below both columns."""
    settlement: float
    """The part of the usual height that a row of the settlement has; never less than its text."""
    check: bool
    """Whether the settlement shows the balances computed a second way."""
    pad: float
    """Beside the numbers of the settlement."""
    column: float
    """The least width of the settlement beside the chart."""
    chart_width: float
    chart_height: float
    payment: float
    paid_below: bool
    """Whether a payment says below when it was made, if there is no room beside it."""
    box: float
    signature: float
    note_lines: int


ROOMY = Density(
    gap=4 * mm, heading=6.2 * mm, row=6.3 * mm, total=8.5 * mm, sums=5.6 * mm, subheads=True,
    remarks=0.22, running_text=False,
    settlement=1, check=True, pad=1.6 * mm, column=84 * mm, chart_width=70 * mm,
    chart_height=46 * mm, payment=6.6 * mm, paid_below=True, box=8 * mm,
    signature=8.4 * mm, note_lines=3,
)  # fmt: skip
CLOSE = Density(
    gap=2 * mm, heading=5.2 * mm, row=5 * mm, total=6.6 * mm, sums=4.6 * mm, subheads=False,
    remarks=0.28, running_text=True,
    settlement=0.8, check=False, pad=1 * mm, column=64 * mm, chart_width=58 * mm,
    chart_height=27 * mm, payment=5.6 * mm, paid_below=False, box=6.5 * mm,
    signature=6 * mm, note_lines=0,
)  # fmt: skip
GROWING = (
    "gap", "heading", "row", "total", "sums", "settlement", "chart_height", "payment", "box",
    "signature",
)  # fmt: skip


def spread(share: float, note_lines: int = 0) -> Density:
    """Return ``CLOSE`` with a share of the height by which ``ROOMY`` is taller."""
    heights = {name: getattr(CLOSE, name) for name in GROWING}
    more = {name: share * (getattr(ROOMY, name) - height) for name, height in heights.items()}
    grown = {name: height + more[name] for name, height in heights.items()}
    return replace(CLOSE, note_lines=note_lines, **grown)
