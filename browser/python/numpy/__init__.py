"""Stands in for numpy, for which there is no package for browsers: what scorekeeper.camera needs.

Arrays are those of camera/numbers.js, which computes. They are never views: every result is new.
"""

from browser_camera import numbers
from pyodide.ffi import JsProxy, to_js

inf = float("inf")
uint8, float32 = "uint8", "float32"
KINDS = {bool: "bool", int: "int", float: "float", "bool": "bool", uint8: uint8, float32: float32}


class ndarray:
    """An array of numbers.js."""

    def __init__(self, own):
        self.own = own
        self.shape = tuple(own.shape.to_py())

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return int(prod(self.shape))

    @property
    def T(self):
        return self.transpose(*reversed(range(self.ndim)))

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        if self.ndim == 1:
            return iter(numbers.listed(self.own).to_py())
        return (self[place] for place in range(len(self)))

    def __bool__(self):
        (value,) = self.reshape(-1).tolist()
        return bool(value)

    def __getitem__(self, keys):
        return _given(numbers.take(self.own, _keys(keys)))

    def __setitem__(self, keys, value):
        numbers.put(self.own, _keys(keys), _own(value))

    def __invert__(self):
        return _given(numbers.opposite(self.own))

    def __matmul__(self, other):
        return _given(numbers.product(self.own, _own(other)))

    def astype(self, kind, order="C"):
        return ndarray(numbers.cast(self.own, KINDS[kind]))

    def reshape(self, *shape):
        flat = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return ndarray(numbers.shaped(self.own, to_js(list(flat))))

    def transpose(self, *axes):
        return ndarray(numbers.permuted(self.own, to_js(list(axes))))

    def tolist(self):
        return list(self) if self.ndim == 1 else [part.tolist() for part in self]


def _given(found):
    """Return what numbers.js has returned: an array, or a number."""
    return ndarray(found) if isinstance(found, JsProxy) else found


def _own(value):
    """Return an array of numbers.js for an array, a number, or nested lists of both."""
    if isinstance(value, ndarray):
        return value.own
    if isinstance(value, (bool, int, float)):
        return numbers.plain(KINDS[type(value)], value)
    return array(value).own


def _keys(keys):
    return to_js([_key(key) for key in (keys if isinstance(keys, tuple) else (keys,))])


def _key(key):
    if key is None:
        return "new"
    if key is Ellipsis:
        return "all"
    if isinstance(key, slice):
        until = inf if key.stop is None else key.stop
        return [0 if key.start is None else key.start, until, key.step or 1]
    return key if isinstance(key, int) else _own(key)


# ---- arithmetic ------------------------------------------------------------------------


def _of_one(name):
    return lambda values: _given(numbers.unary(name, _own(values)))


def _of_two(name):
    return lambda one, other: _given(numbers.binary(name, _own(one), _own(other)))


def _of_many(name):
    def compute(values, axis=None, keepdims=False):
        return _given(numbers.folded(name, _own(values), axis, keepdims))

    return compute


def _turned(compute):
    return lambda one, other: compute(other, one)


exp, log, log2, sqrt = map(_of_one, ("exp", "log", "log2", "sqrt"))
cos, sin, floor, sign, abs = map(_of_one, ("cos", "sin", "floor", "sign", "absolute"))
hypot, arctan2, subtract = map(_of_two, ("hypot", "arctan2", "subtract"))
maximum, minimum = map(_of_two, ("maximum", "minimum"))
max, mean, prod, argmax = map(_of_many, ("max", "mean", "prod", "argmax"))

for _sign, _name in {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "power",
    "and": "both", "or": "either", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "eq": "equal", "ne": "not_equal",
}.items():  # fmt: skip
    setattr(ndarray, f"__{_sign}__", _of_two(_name))
    setattr(ndarray, f"__r{_sign}__", _turned(_of_two(_name)))  # comparisons have none
for _name in ("sum", "max", "min", "mean", "any", "argmax"):
    setattr(ndarray, _name, _of_many(_name))
ndarray.__neg__, ndarray.__abs__, ndarray.__hash__ = _of_one("negative"), abs, None


# ---- making arrays ---------------------------------------------------------------------


def array(values, dtype=None):
    """Return an array of numbers, or of arrays of one shape."""
    if hasattr(values, "own"):
        made = values if isinstance(values, ndarray) else ndarray(values.own)
        return made if dtype is None else made.astype(dtype)
    values = list(values)
    if values and isinstance(values[0], (ndarray, list, tuple)):
        made = stack(values)
    else:
        kinds = {type(value) for value in values}
        kind = "bool" if kinds == {bool} else "int" if kinds and float not in kinds else "float"
        made = ndarray(numbers.make(kind, to_js([len(values)]), to_js(values)))
    return made if dtype is None else made.astype(dtype)


asarray = ascontiguousarray = array


def _filled(shape, value, kind):
    sides = [shape] if isinstance(shape, int) else list(shape)
    return ndarray(numbers.filled(KINDS[kind], to_js(sides), value))


def zeros(shape, dtype=float):
    return _filled(shape, 0, dtype)


def ones(shape, dtype=float):
    return _filled(shape, 1, dtype)


def full(shape, value):
    return _filled(shape, value, type(value))


def arange(count):
    return array(range(count))


def eye(count, dtype=float):
    places = arange(count)
    return (places[:, None] == places).astype(dtype)


def stack(parts, axis=0):
    parts = [array(part) for part in parts]
    axis = axis + parts[0].ndim + 1 if axis < 0 else axis
    return concatenate([part[(slice(None),) * axis + (None,)] for part in parts], axis)


def concatenate(parts, axis=0):
    return ndarray(numbers.joined(to_js([_own(part) for part in parts]), axis))


def pad(values, edges, mode="constant"):
    sides = [(edges, edges)] * values.ndim if isinstance(edges, int) else edges
    return ndarray(numbers.padded(values.own, to_js([list(s) for s in sides]), mode == "edge"))


def broadcast_to(values, shape):
    return ndarray(numbers.repeat(values.own, to_js(list(shape))))


def moveaxis(values, source, target):
    axes = list(range(values.ndim))
    axes.insert(target, axes.pop(source))
    return values.transpose(*axes)


def ix_(rows, columns):
    return array(rows)[:, None], array(columns)


def triu(values, k=0):
    rows, columns = (arange(side) for side in values.shape)
    return values & (columns - rows[:, None] >= k)


def clip(values, least, most):
    return minimum(maximum(values, least), most)


def where(condition, one, other):
    return ndarray(numbers.where(_own(condition), _own(one), _own(other)))


def median(values):
    return percentile(values, 50)


def percentile(values, share):
    return numbers.percentile(_own(values), share)


def argsort(values, kind=None):
    return ndarray(numbers.ordered(values.own))


def nonzero(values):
    return tuple(map(ndarray, numbers.nonzero(values.own)))


def flatnonzero(values):
    return nonzero(values)[0]


def count_nonzero(values):
    return len(flatnonzero(values))


class linalg:
    """Equations."""

    @staticmethod
    def solve(matrix, values):
        """Solve two equations with two unknowns."""
        return ndarray(numbers.solved(_own(matrix), _own(values)))
