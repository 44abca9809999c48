// Photographs for Python: what stands behind python/PIL when cards are read.

const BYTES = 3;

// Decodes a picture, upright and on white; returns its pixels, three bytes each, or null.
export async function decoded(bytes) {
  const options = { colorSpaceConversion: "none", imageOrientation: "from-image" };
  const picture = await createImageBitmap(new Blob([bytes]), options).catch(() => null);
  if (!picture) return null;
  const { width, height } = picture;
  const brush = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  brush.fillStyle = "white";
  brush.fillRect(0, 0, width, height);
  brush.drawImage(picture, 0, 0);
  picture.close();
  const { data } = brush.getImageData(0, 0, width, height);
  const values = new Uint8Array(width * height * BYTES);
  for (let from = 0, to = 0; from < data.length; from += 4, to += BYTES) values.set(data.subarray(from, from + BYTES), to);
  return { kind: "uint8", shape: [height, width, BYTES], values };
}

const CUBIC = -0.5;
const FILTERS = {
  box: [0.5, (way) => (way > -0.5 && way <= 0.5 ? 1 : 0)],
  bicubic: [2, (way) => {
    const x = Math.abs(way);
    if (x < 1) return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * CUBIC : 0;
  }],
};

// Resizes as Pillow does: every new pixel is a mean of old ones, which a filter weighs; first
// along the rows, then along the columns.
export function resized(picture, width, height, filter) {
  const wide = stretched(picture, 1, width, filter);
  return stretched(wide, 0, height, filter);
}

function stretched({ shape, values }, axis, length, filter) {
  const [rows, columns, parts] = shape;
  if (shape[axis] === length) return { kind: "uint8", shape, values };
  const means = weights(shape[axis], length, filter);
  const sides = axis ? [rows, length] : [length, columns];
  const made = new Uint8ClampedArray(sides[0] * sides[1] * parts);
  const step = axis ? parts : columns * parts;
  let to = 0;
  for (let y = 0; y < sides[0]; y++) {
    for (let x = 0; x < sides[1]; x++) {
      const [first, share] = means[axis ? x : y];
      const from = (axis ? y * columns + first : first * columns + x) * parts;
      for (let part = 0; part < parts; part++) {
        let sum = 0;
        for (let at = 0; at < share.length; at++) sum += values[from + part + at * step] * share[at];
        made[to++] = Math.floor(sum + 0.5);
      }
    }
  }
  return { kind: "uint8", shape: [...sides, parts], values: new Uint8Array(made.buffer) };
}

// For each new pixel, the first of the old ones that count, and how much they do.
function weights(before, after, filter) {
  const [reach, weigh] = FILTERS[filter];
  const scale = before / after;
  const wide = Math.max(1, scale);
  return Array.from({ length: after }, (_, at) => {
    const middle = (at + 0.5) * scale;
    const first = Math.max(0, Math.floor(middle - reach * wide + 0.5));
    const last = Math.min(before, Math.floor(middle + reach * wide + 0.5));
    const share = Float64Array.from({ length: last - first }, (__, n) => weigh((first + n - middle + 0.5) / wide));
    const sum = share.reduce((all, one) => all + one, 0);
    return [first, share.map((one) => one / sum)];
  });
}

// Halves both sides: every new pixel is the mean of four, or fewer at the edges.
export function halved({ shape: [rows, columns, parts], values }) {
  const [height, width] = [Math.ceil(rows / 2), Math.ceil(columns / 2)];
  const made = new Uint8Array(height * width * parts);
  let to = 0;
  for (let y = 0; y < height; y++) {
    const down = 2 * y + 1 < rows ? [0, 1] : [0];
    for (let x = 0; x < width; x++) {
      const right = 2 * x + 1 < columns ? [0, 1] : [0];
      for (let part = 0; part < parts; part++) {
        let sum = 0;
        for (const dy of down) for (const dx of right) sum += values[((2 * y + dy) * columns + 2 * x + dx) * parts + part];
        made[to++] = Math.floor(sum / (down.length * right.length) + 0.5);
      }
    }
  }
  return { kind: "uint8", shape: [height, width, parts], values: made };
}
