// Runs the networks that read cards in photographs: what stands behind python/onnxruntime. Reads their
// files (ONNX, which is a message of protobuf) and knows the few operations that they consist of.
// The arithmetic is in networks.ts. Pictures lie in its memory as described there.

const FLOAT = 4;
const LINE = 16; // addresses are multiples of it
const [PAGE, MORE] = [65_536, 8_000_000];
const ACROSS = 4;

const rounded = (size, unit) => Math.ceil(size / unit) * unit;
const deep = (channels) => rounded(channels, 8);

export class Network {
  #kernel;
  #nodes;
  #weights;
  #input;
  #output;

  constructor(kernel, file) {
    this.#kernel = kernel;
    const { nodes, weights, inputs, outputs } = read(file);
    [this.#nodes, this.#weights] = [nodes, weights];
    [this.#input, this.#output] = [inputs[0], outputs[0]];
    const last = new Map();
    nodes.forEach(({ from }, at) => from.forEach((name) => last.set(name, at)));
    nodes.forEach((node, at) => (node.done = node.from.filter((name) => last.get(name) === at)));
  }

  // Returns an array (numbers.js) for an array of pictures: their number, channels, rows, columns.
  run({ shape: [number, ...shape], values }) {
    const size = values.length / number;
    const results = [];
    const memory = new Room(this.#kernel);
    for (let at = 0; at < number; at++) {
      results.push(this.#of(memory, shape, values.subarray(at * size, (at + 1) * size)));
    }
    const made = new Float32Array(number * results[0].values.length);
    results.forEach((result, at) => made.set(result.values, at * result.values.length));
    return { kind: "float32", shape: [number, ...results[0].shape], values: made };
  }

  #of(memory, [channels, rows, columns], values) {
    const known = new Map([[this.#input, memory.picture(rows, columns, channels)]]);
    memory.write(known.get(this.#input), values);
    for (const { type, from, to, about, done } of this.#nodes) {
      const given = from.map((name) => known.get(name) ?? this.#weights.get(name));
      known.set(to, OPERATIONS[type](memory, given, about, done.includes(from[0])));
      for (const name of done) if (known.has(name) && known.get(name) !== known.get(to)) memory.free(known.get(name));
      done.forEach((name) => known.delete(name));
    }
    const result = known.get(this.#output);
    const found = memory.read(result);
    for (const picture of new Set(known.values())) memory.free(picture);
    return found;
  }
}

// ---- operations ----------------------------------------------------------------------------

const OPERATIONS = {
  Conv(memory, [picture, weights, biases], { kernel_shape: [size], pads: [around], strides: [step], dilations: [spread] }) {
    const [out, into] = weights.shape;
    const seen = spread * (size - 1) + 1;
    const [rows, columns] = [picture.rows, picture.columns].map((side) => Math.floor((side + 2 * around - seen) / step) + 1);
    const made = memory.picture(rows, columns, out);
    const wide = Math.max((ACROSS - 1) * step + seen, picture.columns + 2 * around);
    const framed = around || wide > picture.pitch ? memory.framed(picture, around, wide) : picture;
    const pixel = deep(into) * FLOAT;
    memory.convolve(
      framed.at, memory.weights(weights, size), memory.biases(biases), made.at, rows, columns, deep(into), deep(out), size,
      step * pixel, step * framed.pitch * pixel, spread * pixel, spread * framed.pitch * pixel,
    );
    if (framed !== picture) memory.free(framed);
    return made;
  },

  Relu(memory, [picture], _, isLast) {
    const made = isLast ? picture : memory.copy(picture);
    memory.rectify(made.at, made.at + made.size);
    return made;
  },

  Add(memory, [one, other], _, isLast) {
    const made = isLast ? one : memory.copy(one);
    memory.add(made.at, made.at + made.size, other.at);
    return made;
  },

  // Doubles both sides.
  Resize(memory, [picture]) {
    const made = memory.picture(2 * picture.rows, 2 * picture.columns, picture.channels);
    const values = memory.floats();
    const pixel = deep(picture.channels);
    for (let y = 0; y < made.rows; y++) {
      for (let x = 0; x < made.columns; x++) {
        const from = picture.at / FLOAT + ((y >> 1) * picture.pitch + (x >> 1)) * pixel;
        values.copyWithin(made.at / FLOAT + (y * made.pitch + x) * pixel, from, from + pixel);
      }
    }
    return made;
  },

  // One pixel with all values as its channels, channel by channel.
  Flatten(memory, [picture]) {
    const { values } = memory.read(picture);
    const made = memory.picture(1, 1, values.length);
    memory.write(made, values);
    return made;
  },

  Gemm(memory, [picture, { shape, values }, biases]) {
    const about = { kernel_shape: [1], pads: [0], strides: [1], dilations: [1] };
    return OPERATIONS.Conv(memory, [picture, { shape: [...shape, 1, 1], values }, biases], about);
  },
};

// ---- memory --------------------------------------------------------------------------------

// The memory of one run. It grows as it is needed, and is given back as a whole.
class Room {
  #memory = new WebAssembly.Memory({ initial: 1 });
  #end = LINE;
  #unused = [];
  #weights = new Map();

  constructor(kernel) {
    const { exports } = new WebAssembly.Instance(kernel, { env: { memory: this.#memory } });
    Object.assign(this, exports);
  }

  floats = () => new Float32Array(this.#memory.buffer);

  #take(size) {
    const fit = this.#unused.findIndex((one) => one.size >= size && one.size < 2 * size);
    if (fit >= 0) return this.#unused.splice(fit, 1)[0].at;
    const at = this.#end;
    this.#end += size;
    const lacking = this.#end - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(Math.max(lacking, MORE) / PAGE));
    return at;
  }

  picture(rows, columns, channels, pitch = Math.max(columns, ACROSS)) {
    const size = rounded(rows * pitch * deep(channels) * FLOAT, LINE);
    return { at: this.#take(size), size, rows, columns, channels, pitch };
  }

  free({ at, size }) {
    this.#unused.push({ at, size });
  }

  copy(picture) {
    const made = this.picture(picture.rows, picture.columns, picture.channels);
    this.floats().copyWithin(made.at / FLOAT, picture.at / FLOAT, (picture.at + picture.size) / FLOAT);
    return made;
  }

  // Returns a copy with zeros around it, and rows that are so wide.
  framed(picture, around, wide) {
    const rows = picture.rows + 2 * around;
    const made = this.picture(rows, wide, picture.channels, wide);
    const pixel = deep(picture.channels);
    const values = this.floats();
    values.fill(0, made.at / FLOAT, (made.at + made.size) / FLOAT);
    for (let y = 0; y < picture.rows; y++) {
      const from = picture.at / FLOAT + y * picture.pitch * pixel;
      values.copyWithin(made.at / FLOAT + ((y + around) * wide + around) * pixel, from, from + picture.columns * pixel);
    }
    return made;
  }

  // From channels with rows with columns to pixels with channels, and back.
  write({ at, size, rows, columns, channels, pitch }, given) {
    const values = this.floats().subarray(at / FLOAT, (at + size) / FLOAT).fill(0);
    let from = 0;
    for (let channel = 0; channel < channels; channel++) {
      for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) values[(y * pitch + x) * deep(channels) + channel] = given[from++];
    }
  }

  read({ at, rows, columns, channels, pitch }) {
    const values = this.floats().subarray(at / FLOAT);
    const made = new Float32Array(rows * columns * channels);
    let to = 0;
    for (let channel = 0; channel < channels; channel++) {
      for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) made[to++] = values[(y * pitch + x) * deep(channels) + channel];
    }
    return { shape: rows * columns === 1 ? [channels] : [channels, rows, columns], values: made };
  }

  weights(weights, size) {
    return this.#kept(weights, ({ shape: [out, into], values }) => {
      const made = new Float32Array(size * size * deep(into) * deep(out));
      let from = 0;
      for (let channel = 0; channel < out; channel++) {
        for (let below = 0; below < into; below++) {
          for (let place = 0; place < size * size; place++) made[(place * deep(into) + below) * deep(out) + channel] = values[from++];
        }
      }
      return made;
    });
  }

  biases(biases) {
    return this.#kept(biases, ({ shape: [out], values }) => {
      const made = new Float32Array(deep(out));
      made.set(values);
      return made;
    });
  }

  #kept(given, arrange) {
    if (!this.#weights.has(given.values)) {
      const values = arrange(given);
      const at = this.#take(rounded(values.byteLength, LINE));
      this.floats().set(values, at / FLOAT);
      this.#weights.set(given.values, at);
    }
    return this.#weights.get(given.values);
  }
}

// ---- files ---------------------------------------------------------------------------------

const [GRAPH, NODE, WEIGHTS, INPUT, OUTPUT] = [7, 1, 5, 11, 12]; // numbers of fields in onnx.proto
const text = new TextDecoder();

function read(file) {
  const graph = fields(fields(file).get(GRAPH)[0]);
  const weights = new Map((graph.get(WEIGHTS) ?? []).map((tensor) => {
    const about = fields(tensor);
    const bytes = about.get(9)[0];
    const values = new Float32Array(bytes.slice().buffer);
    return [text.decode(about.get(8)[0]), { shape: about.get(1).flatMap(numbers), values }];
  }));
  const names = (field) => (graph.get(field) ?? []).map((value) => text.decode(fields(value).get(1)[0]));
  const nodes = graph.get(NODE).map(nodeOf).filter(({ type }) => type !== "Constant"); // the factor of Resize
  const strange = nodes.find(({ type }) => !OPERATIONS[type]);
  if (strange) throw new TypeError(`${strange.type} is not known`);
  return { nodes, weights, inputs: names(INPUT), outputs: names(OUTPUT) };
}

function nodeOf(bytes) {
  const about = fields(bytes);
  const words = (field) => (about.get(field) ?? []).map((word) => text.decode(word));
  const facts = (about.get(5) ?? []).map(fields).map((fact) => [text.decode(fact.get(1)[0]), (fact.get(8) ?? []).flatMap(numbers)]);
  return { type: words(4)[0], from: words(1), to: words(2)[0], about: Object.fromEntries(facts) };
}

// Returns the values of a message by the number of their field: numbers, or bytes.
function fields(bytes) {
  const found = new Map();
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const key = varint(reader);
    const [field, kind] = [Math.floor(key / 8), key % 8];
    if (!found.has(field)) found.set(field, []);
    if (kind === 0) found.get(field).push(varint(reader));
    else {
      const length = kind === 2 ? varint(reader) : kind === 1 ? 8 : 4;
      found.get(field).push(bytes.subarray(reader.at, (reader.at += length)));
    }
  }
  return found;
}

// Numbers are written one by one or together.
function numbers(value) {
  if (typeof value === "number") return [value];
  const reader = { bytes: value, at: 0 };
  const found = [];
  while (reader.at < value.length) found.push(varint(reader));
  return found;
}

function varint(reader) {
  let [value, factor] = [0, 1];
  for (;;) {
    const byte = reader.bytes[reader.at++];
    value += (byte % 128) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
}
