/**
 * pgvector's binary form of `halfvec`: two 16-bit numbers (dimension, unused), then one IEEE 754 half per dimension,
 * all big-endian. Sent as a binary parameter, it avoids the conversion to text.
 */

const headerBytes = 4;
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Every half as a float: 256 KiB, filled once. */
const floats = new Float32Array(65_536);
for (let half = 0; half < floats.length; half++) floats[half] = decodeHalf(half);

export function toHalfvec(vector: Float32Array): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + 2 * vector.length);
  buffer.writeUInt16BE(vector.length, 0);
  buffer.writeUInt16BE(0, 2);
  for (let index = 0; index < vector.length; index++) {
    buffer.writeUInt16BE(encodeHalf(vector[index] ?? 0), headerBytes + 2 * index);
  }
  return buffer;
}

/** Reads consecutive halves without headers. */
export function readHalves(bytes: Buffer): Float32Array {
  const words = new Uint16Array(bytes.length >> 1);
  const copy = Buffer.from(words.buffer);
  bytes.copy(copy);
  copy.swap16();
  const numbers = new Float32Array(words.length);
  for (let index = 0; index < words.length; index++) numbers[index] = floats[words[index] as number] as number;
  return numbers;
}

/**
 * Rounds to the nearest half. Values that are too small become zero, values that are too large become infinity;
 * components of unit vectors are never too large.
 */
export function encodeHalf(value: number): number {
  float[0] = value;
  const word = bits[0] ?? 0;
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude >= 0x47800000) return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00);
  if (magnitude >= 0x38800000) return sign | ((magnitude - 0x38000000 + 0x0fff + ((magnitude >>> 13) & 1)) >>> 13);
  if (magnitude < 0x33000000) return sign;
  const shift = 126 - (magnitude >>> 23);
  const mantissa = (magnitude & 0x7fffff) | 0x800000;
  return sign | ((mantissa + (1 << (shift - 1)) - 1 + ((mantissa >>> shift) & 1)) >>> shift);
}

function decodeHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
