// The arithmetic of the networks that read cards in photographs, for WebAssembly: see networks.js.
//
// A picture is a list of pixels, row by row, each with its channels side by side. Their number is a
// multiple of eight; those beyond the real ones are zero. Weights are ordered by row, column, channel
// of the input, channel of the output. Addresses and steps are in bytes.

const FLOAT: usize = 4;
const FOUR: usize = 16; // floats that are computed at once
const ACROSS: i32 = 4; // pixels that are computed at once
const DEEP: usize = 8; // and channels of each

// Computes a convolution. `right` and `down` lead from what one pixel of the output sees to what the
// next one sees, `across` and `below` from one pixel of the kernel to the next. Rows of the output are
// at least four pixels long.
export function convolve(
  input: usize, weights: usize, biases: usize, output: usize,
  rows: i32, columns: i32, channels: usize, depth: usize, kernel: i32,
  right: usize, down: usize, across: usize, below: usize,
): void {
  const pitch = max(columns, ACROSS);
  const next = depth * FLOAT;
  for (let y = 0; y < rows; y++) {
    for (let channel: usize = 0; channel < next; channel += DEEP * FLOAT) {
      for (let left = 0; left < columns; left += ACROSS) {
        const x = min(left, pitch - ACROSS);
        const seen = input + <usize>y * down + <usize>x * right;
        let a0 = v128.load(biases + channel), b0 = v128.load(biases + channel, FOUR);
        let a1 = a0, a2 = a0, a3 = a0, b1 = b0, b2 = b0, b3 = b0;
        let weight = weights + channel;
        for (let i = 0; i < kernel; i++) {
          for (let j = 0; j < kernel; j++) {
            let pixel = seen + <usize>i * below + <usize>j * across;
            for (const end = pixel + channels * FLOAT; pixel < end; pixel += FLOAT) {
              const a = v128.load(weight), b = v128.load(weight, FOUR);
              const one = v128.load_splat<f32>(pixel);
              a0 = f32x4.add(a0, f32x4.mul(one, a));
              b0 = f32x4.add(b0, f32x4.mul(one, b));
              const two = v128.load_splat<f32>(pixel + right);
              a1 = f32x4.add(a1, f32x4.mul(two, a));
              b1 = f32x4.add(b1, f32x4.mul(two, b));
              const three = v128.load_splat<f32>(pixel + 2 * right);
              a2 = f32x4.add(a2, f32x4.mul(three, a));
              b2 = f32x4.add(b2, f32x4.mul(three, b));
              const four = v128.load_splat<f32>(pixel + 3 * right);
              a3 = f32x4.add(a3, f32x4.mul(four, a));
              b3 = f32x4.add(b3, f32x4.mul(four, b));
              weight += next;
            }
          }
        }
        const to = output + <usize>(y * pitch + x) * next + channel;
        v128.store(to, a0);
        v128.store(to, b0, FOUR);
        v128.store(to + next, a1);
        v128.store(to + next, b1, FOUR);
        v128.store(to + 2 * next, a2);
        v128.store(to + 2 * next, b2, FOUR);
        v128.store(to + 3 * next, a3);
        v128.store(to + 3 * next, b3, FOUR);
      }
    }
  }
}

// Replaces negative values by zero.
export function rectify(values: usize, end: usize): void {
  for (; values < end; values += FOUR) v128.store(values, f32x4.max(v128.load(values), f32x4.splat(0)));
}

// Adds other values to these.
export function add(values: usize, end: usize, others: usize): void {
  for (; values < end; values += FOUR, others += FOUR) {
    v128.store(values, f32x4.add(v128.load(values), v128.load(others)));
  }
}
