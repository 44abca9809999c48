"""Composes photographs of cards: a layout on a surface, seen by a camera in some light."""

from collections.abc import Container
from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np

from scorekeeper.camera.indices import Pixels
from tools.cardvision import surfaces
from tools.cardvision.arrangements import LAYOUTS, Layout, Place
from tools.cardvision.designs import Rng
from tools.cardvision.faces import JOKERS, MORE_JOKERS, NAMES, WIDTH, Face
from tools.cardvision.labels import Label

SHARES = {
    "apart": 0.2, "rows": 0.22, "spread": 0.18, "fan": 0.2, "column": 0.07, "scattered": 0.08,
    "heap": 0.05,
}  # fmt: skip
FLAT, LOWEST = 0.08, (0.75, 1.05)
"""The share of pictures taken from a seat at the table, and how far the camera is then tilted, in
radians: up to 60 degrees, so that it looks down by 30."""
LAMP = 0.08
"""The share of pictures in the light of one lamp: dark on one side, blurred, and without colour."""
CLIP = 255.0


@dataclass(frozen=True)
class Scene:
    """A picture with its labels."""

    pixels: Pixels
    labels: list[Label]
    kind: str
    light: str

    def facts(self) -> dict[str, Any]:
        """Return all but the pixels, as JSON holds it."""
        return {"kind": self.kind, "light": self.light, "labels": [asdict(v) for v in self.labels]}


def choose(rng: Rng, count: int, names: Container[str]) -> list[str]:
    """Draw cards from two packs with jokers; some draws have identical cards on purpose."""
    jokers = int(rng.choice([0, 3, 9], p=[0.25, 0.4, 0.35]))
    pack = [*NAMES, *NAMES] + [name for name in (*JOKERS, *MORE_JOKERS) if name in names] * jokers
    cards = [pack[n] for n in rng.permutation(len(pack))[:count]]
    if count > 1 and rng.random() < 0.35:
        first, second = rng.permutation(count)[:2]
        cards[int(second)] = cards[int(first)]
    if rng.random() < 0.4:
        cards.sort(key=lambda name: (name[-1], NAMES.index(name) if name in NAMES else 99))
    return cards


class Camera:
    """A pinhole camera looking down at the plane of the cards."""

    def __init__(self, rng: Rng, size: tuple[int, int], points: Pixels, held: bool) -> None:
        tilt = abs(rng.normal(0, 0.2)) if held else rng.uniform(0, 0.85) * rng.random()
        if not held and rng.random() < FLAT:
            tilt = rng.uniform(*LOWEST)
        roll = rng.uniform(0, 2 * np.pi) if rng.random() < 0.18 else rng.normal(0, 0.12)
        self._turn = np.array([[np.cos(roll), -np.sin(roll)], [np.sin(roll), np.cos(roll)]])
        self._tilt, self._focal = tilt, rng.uniform(1.0, 1.6) * max(size)
        self._middle = (points.max(0) + points.min(0)) / 2
        cover = rng.uniform(0.6, 0.97)
        self._shift, self._far = np.zeros(2), 20.0
        for _ in range(4):
            seen = cv2.perspectiveTransform(points[None].astype(np.float64), self.matrix)[0]
            span = seen.max(0) - seen.min(0)
            self._far *= float((span / np.array(size)).max() / cover)
            self._far = max(self._far, 2.5)
        seen = cv2.perspectiveTransform(points[None].astype(np.float64), self.matrix)[0]
        slack = (np.array(size) - (seen.max(0) - seen.min(0))) * rng.uniform(0.1, 0.9, 2)
        self._shift += slack - seen.min(0)

    @property
    def matrix(self) -> Pixels:
        """Return the homography from the plane of the cards to the picture."""
        sine, cosine = np.sin(self._tilt), np.cos(self._tilt)
        plane = np.eye(3)
        plane[:2, :2] = self._turn
        plane[:2, 2] = -self._turn @ self._middle
        view = np.array([[1, 0, 0], [0, cosine, 0], [0, -sine, self._far]])
        lens = np.diag([self._focal, self._focal, 1.0])
        lens[:2, 2] = self._shift
        matrix: Pixels = lens @ view @ plane
        return matrix


def _pose(place: Place, face: Face) -> Pixels:
    """Return the map from the pixels of a face to the plane."""
    height, width = face.pixels.shape[:2]
    cosine, sine = np.cos(place.turn), np.sin(place.turn)
    unit = np.array([[1 / width, 0, -0.5], [0, 1 / width, -height / width / 2], [0, 0, 1]])
    pose: Pixels = np.array([[cosine, -sine, place.x], [sine, cosine, place.y], [0, 0, 1]]) @ unit
    return pose


class Picture:
    """The picture in the making, and which card each of its pixels shows."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = np.clip(pixels, 0, CLIP).astype(np.uint8)
        self.owner = np.full(pixels.shape[:2], -1, np.int16)

    def _region(
        self, matrix: Pixels, width: int, height: int, more: int
    ) -> tuple[slice, slice] | None:
        corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
        seen = cv2.perspectiveTransform(corners, matrix)[0]
        size = self.owner.shape[::-1]
        left, top = (np.floor(seen.min(0)).astype(int) - more).clip(0, size)
        right, low = (np.ceil(seen.max(0)).astype(int) + more).clip(0, size)
        return (slice(top, low), slice(left, right)) if right > left + 1 and low > top + 1 else None

    def lay(self, number: int, pixels: Pixels, matrix: Pixels, gain: Any, shadow: Any) -> None:
        """Lay a card with its shadow; pixels have an opaque fourth channel."""
        seen = np.hypot(
            *np.diff(
                cv2.perspectiveTransform(np.array([[[0.0, 0], [WIDTH, 0]]]), matrix)[0], axis=0
            )[0]
        )
        while seen < pixels.shape[1] * 0.62 and pixels.shape[1] > 40:  # no aliasing
            smaller = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            matrix = matrix @ np.diag(
                [pixels.shape[1] / smaller.shape[1], pixels.shape[0] / smaller.shape[0], 1]
            )
            pixels = smaller
        offset, soft, depth = shadow
        region = self._region(
            matrix, pixels.shape[1], pixels.shape[0], int(3 * soft + max(map(abs, offset))) + 2
        )
        if region is None:
            return
        rows, columns = region
        local = np.array([[1, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]]) @ matrix
        size = (columns.stop - columns.start, rows.stop - rows.start)
        warped = cv2.warpPerspective(pixels, local, size, flags=cv2.INTER_LINEAR)
        cover = warped[..., 3]
        target = self.pixels[rows, columns].astype(np.float32)
        if depth > 0:
            moved = np.array([[1.0, 0, offset[0]], [0, 1, offset[1]]])
            dark = cv2.GaussianBlur(cv2.warpAffine(cover, moved, size), (0, 0), soft)
            target *= 1 - depth * (dark.astype(np.float32) / CLIP)[..., None]
        share = (cover.astype(np.float32) / CLIP)[..., None]
        target += share * (warped[..., :3].astype(np.float32) * gain - target)
        self.pixels[rows, columns] = np.clip(target, 0, CLIP).astype(np.uint8)
        self.owner[rows, columns][cover > 127] = number

    def cover(self, colours: Pixels, mask: Pixels) -> None:
        """Put something over the cards."""
        share = (cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32) / CLIP)[..., None]
        self.pixels = (self.pixels * (1 - share) + colours * share).clip(0, CLIP).astype(np.uint8)
        self.owner[mask > 127] = -2

    def visible(self, corners: Pixels, number: int) -> float:
        """Return how much of a quadrilateral shows a card."""
        mask = np.zeros(self.owner.shape, np.uint8)
        size = mask.shape[::-1]
        low = np.floor(corners.min(0)).astype(int).clip(0, size)
        high = np.ceil(corners.max(0)).astype(int).clip(0, size)
        region = (slice(low[1], high[1]), slice(low[0], high[0]))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
        whole = max(1.0, float(cv2.contourArea(corners.astype(np.float32))))
        shown = ((self.owner[region] == number) & (mask[region] > 0)).sum()
        return min(1.0, float(shown) / whole)


def _bent(rng: Rng, face: Face) -> Face:
    """Bend a card a little along its length."""
    height, width = face.pixels.shape[:2]
    bend = rng.normal(0, 0.02) * height
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    drop = bend * ((x / width - 0.5) ** 2 - 0.08)
    pixels = cv2.remap(face.pixels, x, y - drop, cv2.INTER_LINEAR)
    pixels[..., :3] = np.where(pixels[..., 3:] > 0, pixels[..., :3], 255)
    return Face(face.name, pixels, face.indices)


def _labels(picture: Picture, faces: list[Face], matrices: list[Pixels]) -> list[Label]:
    labels = []
    for number, (face, matrix) in enumerate(zip(faces, matrices, strict=True)):
        height, width = face.pixels.shape[:2]
        for index in face.indices:
            (x, y), half = index.centre, index.size / 2
            up = -1 if index.upright else 1
            box = [
                (x - half * 0.7, y - half),
                (x + half * 0.7, y - half),
                (x + half * 0.7, y + half),
                (x - half * 0.7, y + half),
            ]
            points = np.array(
                [[(x, y), (x, y + up * half), (width / 2, height / 2), *box]], np.float64
            )
            centre, top, middle, *corners = cv2.perspectiveTransform(points, matrix)[0]
            shown = picture.visible(np.array(corners), number)
            across = (
                np.hypot(*(corners[1] - corners[0])) + np.hypot(*(corners[2] - corners[3]))
            ) / 1.4
            along = np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))
            ahead = (top - centre) / max(1e-6, np.hypot(*(top - centre)))
            size = float(max(along, across) / 2)
            if shown > 0.02:
                labels.append(
                    Label(
                        number, face.name, _pair(centre), _pair(ahead), size, shown, _pair(middle)
                    )
                )
    return labels


def _pair(point: Any) -> tuple[float, float]:
    return round(float(point[0]), 3), round(float(point[1]), 3)


def _fingers(rng: Rng, picture: Picture, layout: Layout, matrix: Pixels) -> None:
    """Hold a fan at its lower end."""
    height, width = picture.pixels.shape[:2]
    card = cv2.perspectiveTransform(np.array([[[-0.5, 0.0], [0.5, 0.0]]]), matrix)[0]
    thick = np.hypot(*(card[1] - card[0])) * rng.uniform(0.22, 0.32)
    for x in rng.uniform(-0.5, 0.5, int(rng.integers(1, 3))):
        bones = np.array([[[x, -0.1], [x + rng.normal(0, 0.4), 1.6]]])
        tip, root = cv2.perspectiveTransform(bones, matrix)[0].clip(-3000, 3000)
        picture.cover(*surfaces.finger(rng, tip, root, thick, (width, height)))


def compose(
    rng: Rng,
    deck: dict[str, Face],
    size: tuple[int, int],
    fonts: surfaces.Fonts,
    kind: str = "",
) -> Scene:
    """Compose a scene; ``fonts`` are for what is written on papers beside the cards."""
    kind = kind or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    any_face = deck["AS"].pixels
    aspect = any_face.shape[0] / any_face.shape[1]
    layout = LAYOUTS[kind](rng, aspect)
    faces = [deck[name] for name in choose(rng, len(layout), deck)]
    faces = [_bent(rng, face) if rng.random() < 0.3 else face for face in faces]
    poses = [_pose(place, face) for place, face in zip(layout, faces, strict=True)]
    edges = np.array([[[0, 0], [WIDTH, 0], [WIDTH, WIDTH * aspect], [0, WIDTH * aspect]]])
    points = np.concatenate([cv2.perspectiveTransform(edges, pose)[0] for pose in poses])
    held = kind == "fan"
    camera = Camera(rng, size, points, held).matrix
    below = surfaces.textile if kind == "heap" else surfaces.surface
    picture = Picture(below(rng, size, fonts))
    if not held and rng.random() < 0.12:
        _stock(rng, picture, camera, points, any_face)
    shadow = (rng.normal(0, 3, 2).tolist(), rng.uniform(1.5, 7), rng.uniform(0, 0.55))
    matrices = [camera @ pose for pose in poses]
    for number, (face, matrix) in enumerate(zip(faces, matrices, strict=True)):
        picture.lay(number, face.pixels, matrix, rng.uniform(0.9, 1.02), shadow)
    if held and rng.random() < 0.8:
        _fingers(rng, picture, layout, camera)
    labels = _labels(picture, faces, matrices)
    pixels, light = lit(rng, picture.pixels)
    return Scene(pixels, labels, kind, light)


def _stock(rng: Rng, picture: Picture, camera: Pixels, points: Pixels, face: Pixels) -> None:
    """Put the stock beside the cards, face down."""
    height, width = face.shape[:2]
    pixels = np.dstack([surfaces.back(rng, width, height), face[..., 3]])
    spot = Place(
        float(points[:, 0].max() + 0.6),
        float(rng.uniform(*np.sort(points[:2, 1]))),
        rng.normal(0, 0.2),
    )
    pose = _pose(spot, Face("", pixels, []))
    picture.lay(-3, pixels, camera @ pose, 1.0, ((2, 3), 3, 0.4))


# ---- light and lens ------------------------------------------------------------------


def lit(rng: Rng, pixels: Pixels) -> tuple[Pixels, str]:
    """Apply light, shadows, glare, lens blur, noise; return also whether it is dark or bright."""
    height, width = pixels.shape[:2]
    image = pixels.astype(np.float32)
    light = str(rng.choice(["normal", "dark", "bright"], p=[0.72, 0.16, 0.12]))
    level = {
        "normal": rng.uniform(0.65, 1.08),
        "dark": rng.uniform(0.16, 0.42),
        "bright": rng.uniform(1.1, 1.45),
    }[light]
    warmth = rng.normal(0, 0.1)
    tint = np.array([1 + warmth, 1 + rng.normal(0, 0.02), 1 - warmth * 1.3], np.float32)
    small = np.zeros((12, 16), np.float32)
    y, x = np.mgrid[0:12, 0:16]
    small += 1 + rng.normal(0, 0.14) * (x / 8 - 1) + rng.normal(0, 0.14) * (y / 6 - 1)
    if rng.random() < 0.4:  # the shadow of a head or an arm
        spot = rng.uniform(0, 1, 2) * (16, 12)
        small -= rng.uniform(0.15, 0.5) * np.exp(
            -((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / rng.uniform(4, 40)
        )
    field = cv2.resize(small.clip(0.25, 1.6), (width, height), interpolation=cv2.INTER_LINEAR)
    image *= field[..., None] * (level * tint)
    if rng.random() < LAMP:
        image, light = under_a_lamp(rng, image), "dark"
    if rng.random() < 0.22:
        image += glare(rng, width, height)[..., None]
    image = lens(rng, image)
    grain = rng.uniform(1, 5) if light != "dark" else rng.uniform(3, 9)
    shape = (height // 2 + 1, width // 2 + 1, 3)
    noise = rng.standard_normal(shape, np.float32) * grain
    image += cv2.resize(noise, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.clip(image, 0, CLIP).astype(np.uint8), light


def under_a_lamp(rng: Rng, image: Pixels) -> Pixels:
    """Return a picture that is dark on one side, grey, and blurred as by a slow shutter."""
    height, width = image.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    slope = (x[None] * np.cos(turn) + y[:, None] * np.sin(turn)).clip(-1, 1)
    shade = np.exp(rng.uniform(-1.3, -0.5) * (1 + slope))[..., None].astype(np.float32)
    grey = image.mean(2, keepdims=True)
    image = (grey + rng.uniform(0.1, 0.6) * (image - grey)) * shade
    return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 1.3)))


def glare(rng: Rng, width: int, height: int) -> Pixels:
    """Return the reflection of a lamp or a window."""
    y, x = np.mgrid[0 : height // 8, 0 : width // 8].astype(np.float32) * 8
    turn, (cx, cy) = rng.uniform(0, np.pi), rng.uniform(0, 1, 2) * (width, height)
    along = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
    across = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
    reach = rng.uniform(25, 160)
    blob = np.exp(
        -((along / reach / rng.uniform(1, 3)) ** 2) - (across / reach) ** 2
    ) * rng.uniform(50, 190)
    return cv2.resize(blob.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)


def lens(rng: Rng, image: Pixels) -> Pixels:
    """Blur as lenses and hands do."""
    if rng.random() < 0.12:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        ends = [(int(v[0]), int(v[1])) for v in rng.integers(0, length, (2, 2))]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        image = cv2.filter2D(image, -1, kernel / max(1.0, float(kernel.sum())))
    return cv2.GaussianBlur(image, (0, 0), max(0.3, abs(rng.normal(0.2, 0.6))))
