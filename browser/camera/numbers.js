// Arrays of numbers for Python: what stands behind python/numpy. An array has its values in order, a
// shape, and a kind; every function returns a new one, or a plain number if nothing is left to count.

const KINDS = { bool: Uint8Array, uint8: Uint8Array, int: Int32Array, float32: Float32Array, float: Float64Array };
const ORDER = Object.keys(KINDS);

const count = (shape) => shape.reduce((product, side) => product * side, 1);
const blank = (kind, shape) => ({ kind, shape, values: new KINDS[kind](count(shape)) });

export function make(kind, shape, values) {
  return { kind, shape, values: KINDS[kind].from(values) };
}

// A number of Python takes the kind of what it meets.
export const plain = (kind, value) => ({ kind, shape: [], values: [value], isPlain: true });

export function filled(kind, shape, value) {
  const made = blank(kind, shape);
  made.values.fill(value);
  return made;
}

// A single value is handed out as itself.
function out(made) {
  if (made.shape.length) return made;
  const [value] = made.values;
  return made.kind === "bool" ? Boolean(value) : value;
}

export const cast = ({ shape, values }, kind) => ({ kind, shape, values: new KINDS[kind](values) });
export const shaped = ({ kind, values, shape }, wanted) => {
  const known = wanted.reduce((product, side) => (side < 0 ? product : product * side), 1);
  return { kind, values, shape: wanted.map((side) => (side < 0 ? count(shape) / known : side)) };
};
export const listed = ({ values, kind }) => (kind === "bool" ? Array.from(values, Boolean) : Array.from(values));

// ---- places --------------------------------------------------------------------------------

function strides(shape) {
  const steps = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) steps[axis] = steps[axis + 1] * shape[axis + 1];
  return steps;
}

function run(length, step, from = 0) {
  const places = new Int32Array(length);
  for (let at = 0; at < length; at++) places[at] = from + at * step;
  return places;
}

// Returns all sums of one number of each list, those of the last list side by side.
function sums(lists) {
  let all = Int32Array.of(0);
  for (const list of lists) {
    const longer = new Int32Array(all.length * list.length);
    let at = 0;
    for (const base of all) for (const one of list) longer[at++] = base + one;
    all = longer;
  }
  return all;
}

// Where the values of an array are that is repeated to fill a shape; null if it has that shape.
function repeated({ shape }, wanted) {
  if (shape.length === wanted.length && shape.every((side, axis) => side === wanted[axis])) return null;
  const steps = strides(shape);
  const more = wanted.length - shape.length;
  return sums(wanted.map((side, axis) => run(side, axis < more || shape[axis - more] === 1 ? 0 : steps[axis - more])));
}

function common(...shapes) {
  const length = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length }, (_, axis) => {
    const sides = shapes.map((shape) => shape[axis - length + shape.length] ?? 1);
    const side = sides.find((one) => one !== 1) ?? 1;
    if (sides.some((one) => one !== side && one !== 1)) throw new RangeError(`shapes ${JSON.stringify(shapes)}`);
    return side;
  });
}

// Takes the values at all sums of one number of each list.
function gathered(one, lists, shape) {
  const all = [...lists];
  let last = all.pop() ?? Int32Array.of(0);
  while (all.length && isRow(last) && isRow(all.at(-1), last.length)) last = run(all.at(-1).length * last.length, 1, last[0] + all.pop()[0]);
  if (!isRow(last) || last.length < 2) return picked(one, sums(lists), shape);
  const made = blank(one.kind, shape);
  let to = 0;
  for (const place of sums(all)) {
    made.values.set(one.values.subarray(place + last[0], place + last[0] + last.length), to);
    to += last.length;
  }
  return made;
}

// Whether places follow each other.
const isRow = (places, step = 1) => places.length > 0 && places.every((place, at) => place === places[0] + at * step);

function picked({ kind, values }, places, shape) {
  const made = blank(kind, shape);
  for (let at = 0; at < places.length; at++) made.values[at] = values[places[at]];
  return made;
}

export function repeat(one, shape) {
  const places = repeated(one, shape);
  return places ? picked(one, places, shape) : one;
}

export function permuted(one, axes) {
  const steps = strides(one.shape);
  const shape = axes.map((axis) => one.shape[axis]);
  return gathered(one, axes.map((axis, at) => run(shape[at], steps[axis])), shape);
}

// Returns lists of numbers whose sums are the places that keys name, and their shape. A key is a number, [from, to, step], "new",
// "all" or an array, one of yes and no for several axes.
function found(one, keys) {
  const wide = (key) => (key === "new" || key === "all" ? 0 : key.kind === "bool" ? key.shape.length : 1);
  const used = keys.reduce((sum, key) => sum + wide(key), 0);
  const rest = Array(one.shape.length - used).fill([0, Infinity, 1]);
  const at = keys.indexOf("all");
  const whole = at < 0 ? [...keys, ...rest] : [...keys.slice(0, at), ...rest, ...keys.slice(at + 1)];
  const flat = whole.flatMap((key) => (key.kind === "bool" ? nonzero(key) : [key]));
  const hasArrays = flat.some((key) => key.values);
  const steps = strides(one.shape);
  const [lists, shape, arrays] = [[], [], []];
  let axis = 0;
  let place = -1;
  for (const key of flat) {
    if (key === "new") shape.push(1);
    else if (Array.isArray(key)) {
      const [from, to, step] = key;
      const ends = [from, to].map((end) => Math.min(one.shape[axis], Math.max(0, end < 0 ? end + one.shape[axis] : end)));
      const length = Math.max(0, Math.ceil((ends[1] - ends[0]) / step));
      lists.push(run(length, step * steps[axis], ends[0] * steps[axis]));
      shape.push(length);
      axis++;
    } else if (hasArrays) {
      if (place < 0) place = lists.push(null) - 1;
      if (!arrays.length) arrays.at = shape.length;
      const array = key.values ? key : { shape: [], values: [key] };
      arrays.push([array, one.shape[axis], steps[axis++]]);
    } else {
      lists.push(Int32Array.of((key < 0 ? key + one.shape[axis] : key) * steps[axis++]));
    }
  }
  if (arrays.length) {
    const together = common(...arrays.map(([{ shape: own }]) => own));
    const list = new Int32Array(count(together));
    for (const [array, side, step] of arrays) {
      const places = repeated(array, together);
      for (let at = 0; at < list.length; at++) {
        const value = array.values[places ? places[at] : at];
        list[at] += (value < 0 ? value + side : value) * step;
      }
    }
    lists[place] = list;
    shape.splice(arrays.at, 0, ...together);
  }
  return [lists, shape];
}

export function take(one, keys) {
  return out(gathered(one, ...found(one, keys)));
}

export function put(one, keys, value) {
  const [lists, shape] = found(one, keys);
  const places = sums(lists);
  const from = repeated(value, shape);
  for (let at = 0; at < places.length; at++) one.values[places[at]] = value.values[from ? from[at] : at];
}

export function nonzero({ shape, values }) {
  const steps = strides(shape);
  const places = [];
  values.forEach((value, at) => value && places.push(at));
  return shape.map((side, axis) => make("int", [places.length], places.map((at) => Math.floor(at / steps[axis]) % side)));
}

// Adds so many rows, columns ... before and after, zeros or copies of the last ones.
export function padded(one, edges, isCopied) {
  if (edges.every(([before, after]) => !before && !after)) return one;
  const steps = strides(one.shape);
  const shape = one.shape.map((side, axis) => edges[axis][0] + side + edges[axis][1]);
  const made = blank(one.kind, shape);
  const within = shape.map((side, axis) =>
    Int32Array.from({ length: side }, (_, at) => Math.min(one.shape[axis] - 1, Math.max(0, at - edges[axis][0])) * steps[axis]),
  );
  if (isCopied) return picked(one, sums(within), shape);
  const into = strides(shape);
  const places = sums(one.shape.map((side, axis) => run(side, into[axis], edges[axis][0] * into[axis])));
  for (let at = 0; at < places.length; at++) made.values[places[at]] = one.values[at];
  return made;
}

export function joined(parts, axis) {
  const [{ shape }] = parts;
  const kind = highest(parts);
  const own = axis < 0 ? axis + shape.length : axis;
  const wanted = shape.map((side, at) => (at === own ? parts.reduce((sum, one) => sum + one.shape[own], 0) : side));
  const made = blank(kind, wanted);
  const steps = strides(wanted);
  let before = 0;
  for (const one of parts) {
    const places = sums(one.shape.map((side, at) => run(side, steps[at], at === own ? before * steps[own] : 0)));
    for (let at = 0; at < places.length; at++) made.values[places[at]] = one.values[at];
    before += one.shape[own];
  }
  return made;
}

// ---- arithmetic ----------------------------------------------------------------------------

const highest = (all) => ORDER[Math.max(...all.map(({ kind }) => ORDER.indexOf(kind)))];

function kindOf(one, other) {
  const strong = [one, other].filter(({ isPlain }) => !isPlain);
  const kind = highest(strong.length ? strong : [one, other]);
  const any = highest([one, other]);
  return any === "float" && !kind.startsWith("float") ? "float" : kind === "bool" ? any : kind;
}

const SIMPLE = {
  add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b, power: (a, b) => a ** b,
  maximum: (a, b) => Math.max(a, b), minimum: (a, b) => Math.min(a, b),
};
const OF_REALS = { divide: (a, b) => a / b, hypot: (a, b) => Math.hypot(a, b), arctan2: (a, b) => Math.atan2(a, b) };
const QUESTIONS = {
  less: (a, b) => a < b, less_equal: (a, b) => a <= b, greater: (a, b) => a > b, greater_equal: (a, b) => a >= b,
  equal: (a, b) => a === b, not_equal: (a, b) => a !== b, both: (a, b) => a && b, either: (a, b) => a || b,
};
const OF_ONE = {
  exp: Math.exp, log: Math.log, log2: Math.log2, sqrt: Math.sqrt, cos: Math.cos, sin: Math.sin,
  floor: Math.floor, absolute: Math.abs, sign: Math.sign, negative: (a) => -a,
};
const KEEPS = ["absolute", "sign", "negative", "floor"];

const real = (kind) => (kind === "float32" ? kind : "float");

export function binary(name, one, other) {
  const shape = common(one.shape, other.shape);
  const kind = QUESTIONS[name] ? "bool" : OF_REALS[name] ? real(kindOf(one, other)) : kindOf(one, other);
  const compute = QUESTIONS[name] ?? OF_REALS[name] ?? SIMPLE[name];
  const made = blank(kind, shape);
  const [a, b, to] = [one.values, other.values, made.values];
  if (!other.shape.length) {
    const [value] = b;
    for (let at = 0; at < to.length; at++) to[at] = compute(a[at], value);
    return out(made);
  }
  const [from, against] = [repeated(one, shape), repeated(other, shape)];
  for (let at = 0; at < to.length; at++) to[at] = compute(a[from ? from[at] : at], b[against ? against[at] : at]);
  return out(made);
}

export function unary(name, one) {
  const made = blank(KEEPS.includes(name) ? one.kind : real(one.kind), one.shape);
  const compute = OF_ONE[name];
  for (let at = 0; at < made.values.length; at++) made.values[at] = compute(one.values[at]);
  return out(made);
}

export function opposite(one) {
  return out(make("bool", one.shape, one.values.map((value) => !value)));
}

export function where(condition, one, other) {
  const shape = common(condition.shape, one.shape, other.shape);
  const [is, yes, no] = [condition, one, other].map((part) => repeat(part, shape).values);
  const made = blank(kindOf(one, other), shape);
  for (let at = 0; at < is.length; at++) made.values[at] = is[at] ? yes[at] : no[at];
  return made;
}

// ---- what many values come to ---------------------------------------------------------------

const FOLDS = {
  sum: [0, (all, one) => all + one],
  prod: [1, (all, one) => all * one],
  max: [-Infinity, (all, one) => Math.max(all, one)],
  min: [Infinity, (all, one) => Math.min(all, one)],
  any: [0, (all, one) => all || one],
};

// Without an axis, of all values.
export function folded(name, one, axis = null, isKept = false) {
  const mean = name === "mean";
  const [start, step] = FOLDS[mean ? "sum" : name] ?? [];
  const kind = mean ? real(one.kind) : name === "any" ? "bool" : name === "argmax" ? "int" : one.kind === "bool" ? "int" : one.kind;
  const [made, side, outer, inner] = along(one, axis, kind, isKept);
  for (let a = 0; a < outer; a++) {
    for (let b = 0; b < inner; b++) {
      const first = a * side * inner + b;
      let value = start;
      if (name === "argmax") {
        value = 0;
        for (let at = 1; at < side; at++) if (one.values[first + at * inner] > one.values[first + value * inner]) value = at;
      } else for (let at = 0; at < side; at++) value = step(value, one.values[first + at * inner]);
      made.values[a * inner + b] = mean ? value / side : value;
    }
  }
  return out(made);
}

function along(one, axis, kind, isKept) {
  if (axis === null) return [blank(kind, []), one.values.length, 1, 1];
  const own = axis < 0 ? axis + one.shape.length : axis;
  const [before, after] = [one.shape.slice(0, own), one.shape.slice(own + 1)];
  return [blank(kind, [...before, ...(isKept ? [1] : []), ...after]), one.shape[own], count(before), count(after)];
}

export function percentile({ values }, share) {
  const sorted = Float64Array.from(values).sort();
  const place = ((sorted.length - 1) * share) / 100;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}

export function ordered({ values }) {
  const places = Array.from(values, (_, at) => at);
  return make("int", [places.length], places.sort((a, b) => values[a] - values[b] || a - b));
}

// ---- matrices ------------------------------------------------------------------------------

export function product(one, other) {
  const [rows, inner] = one.shape.length === 1 ? [1, one.shape[0]] : one.shape;
  const columns = other.shape[1] ?? 1;
  const made = blank(real(kindOf(one, other)), [...one.shape.slice(0, -1), ...other.shape.slice(1)]);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let sum = 0;
      for (let at = 0; at < inner; at++) sum += one.values[y * inner + at] * other.values[at * columns + x];
      made.values[y * columns + x] = sum;
    }
  }
  return out(made);
}

// Solves two equations with two unknowns.
export function solved({ values: [a, b, c, d] }, { values: [e, f] }) {
  const size = a * d - b * c;
  return make("float", [2], [(e * d - b * f) / size, (a * f - e * c) / size]);
}
