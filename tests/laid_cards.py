"""What the networks read of cards that lie somewhere: made up, without a picture."""

import numpy as np

from scorekeeper.camera.cards import NAMES, Reading
from scorekeeper.camera.indices import Index

WIDTH, HEIGHT = 100.0, 150.0
INSET = np.array([10.0, 18.0])
"""How far the middle of an index is from the edges of its card."""

Corner = tuple[int, int]
UPPER_LEFT, LOWER_RIGHT, UPPER_RIGHT, LOWER_LEFT = (-1, -1), (1, 1), (1, -1), (-1, 1)
CORNERS = (UPPER_LEFT, LOWER_RIGHT, UPPER_RIGHT, LOWER_LEFT)


def index(
    name: str, middle: tuple[float, float], corner: Corner = UPPER_LEFT, turn: float = 0
) -> Reading:
    """Return what an index says of a card turned by so many radians."""
    cosine, sine = np.cos(turn), np.sin(turn)
    matrix = np.array([[cosine, -sine], [sine, cosine]])
    offset = (np.array([WIDTH, HEIGHT]) / 2 - INSET) * corner
    place = np.array(middle) + matrix @ offset
    up = matrix @ np.array([0.0, float(corner[1])])
    chances = np.full(53, 0.1 / 52)
    chances[[*NAMES, "JK"].index(name)] = 0.9
    return Reading(Index(place, up, 24.0, np.array(middle), 0.9), chances, 0.99)


def whole(
    name: str, middle: tuple[float, float], turn: float = 0, corners: int = 2
) -> list[Reading]:
    """Return what the indices of a card say of which two or all four corners show."""
    return [index(name, middle, corner, turn) for corner in CORNERS[:corners]]


Laid = tuple[str, tuple[float, float], float]
"""A card: its name, its middle, how far it is turned in radians."""


def showing(cards: list[Laid], corners: int = 2) -> list[Reading]:
    """Return what the indices say that no later card covers."""
    found = []
    for n, (name, middle, turn) in enumerate(cards):
        found += [
            reading
            for reading in whole(name, middle, turn, corners)
            if not any(_covers(card, reading.index) for card in cards[n + 1 :])
        ]
    return found


def _covers(card: Laid, index: Index) -> bool:
    _, middle, turn = card
    right, down = (np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))
    way = index.place - middle
    reach = INSET / 2  # half an index is enough
    return bool(abs(way @ right) < WIDTH / 2 + reach[0] and abs(way @ down) < HEIGHT / 2 + reach[1])
