"""The two networks. The shapes of their inputs and outputs are known to scorekeeper/camera too."""

from torch import Tensor, nn
from torch.nn import functional

from scorekeeper.camera.cards import JOKER, RANKS, SUITS

HEAT, UP_X, UP_Y, SIZE, MIDDLE_X, MIDDLE_Y = range(6)
"""The maps of the detector."""
CLASSES = [*RANKS, JOKER]


def _layer(width: int, out: int, stride: int = 1, spread: int = 1) -> nn.Module:
    convolution = nn.Conv2d(width, out, 3, stride, spread, spread, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class _Deeper(nn.Module):
    """Layers that add to what they get; at first they add nothing."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        last = nn.BatchNorm2d(width)
        nn.init.zeros_(last.weight)
        self.layers = nn.Sequential(
            *(_layer(width, width) for _ in range(layers - 1)),
            nn.Conv2d(width, width, 3, padding=1, bias=False), last,
        )  # fmt: skip

    def forward(self, values: Tensor) -> Tensor:
        sum_: Tensor = functional.relu(values + self.layers(values))
        return sum_


class Detector(nn.Module):
    """Finds indices: a map of a quarter of the size with six values for each place.

    They are how likely the middle of an index is there, its upward direction, the logarithm of
    its size, and the way to the middle of its card.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_layer(3, 12, 2), _layer(12, 24, 2), _layer(24, 24))
        self.eighth = nn.Sequential(_layer(24, 40, 2), _layer(40, 40))
        wide = [_layer(64, 64, 1, spread) for spread in (2, 4, 1)]
        self.sixteenth = nn.Sequential(_layer(40, 64, 2), *wide)
        self.to_eighth, self.to_fine = nn.Conv2d(64, 40, 1), nn.Conv2d(40, 24, 1)
        self.join_eighth, self.join_fine = _layer(40, 40), _layer(24, 32)
        self.head = nn.Conv2d(32, 6, 1)
        nn.init.constant_(self.head.bias[HEAT], -4.0)
        self.larger = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the maps."""
        fine = self.fine(pictures)
        eighth = self.eighth(fine)
        deep = self.larger(self.to_eighth(self.sixteenth(eighth)))
        deep = self.larger(self.to_fine(self.join_eighth(eighth + deep)))
        maps: Tensor = self.head(self.join_fine(fine + deep))
        return maps


class Classifier(nn.Module):
    """Reads an upright index: its rank (or joker), its suit, and whether it is one."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _layer(3, 16), _layer(16, 24, 2), _layer(24, 32), _layer(32, 48, 2),
            _layer(48, 48), _Deeper(48, 2), _layer(48, 64, 2), _Deeper(64, 1), nn.Flatten(),
            nn.Dropout(0.2), nn.Linear(64 * 7 * 5, 48), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Linear(48, len(CLASSES) + len(SUITS) + 1)

    def forward(self, patches: Tensor) -> Tensor:
        """Return the values of all ranks, all suits, and of being an index."""
        values: Tensor = self.head(self.body(patches))
        return values
