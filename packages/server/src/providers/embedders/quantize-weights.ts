/**
 * Symmetric, one scale per output. The limit is 64 and not 127, because processors without VNNI add two products of an
 * unsigned and a signed byte in 16 saturating bits, and 2 × 255 × 64 is the most that fits. This costs 0.002 of cosine
 * and makes the vectors equal on every processor.
 */
const WEIGHT_LIMIT = 64;

const OFFSET = 128;

interface QuantizedWeights {
  /** Transposed to [inputs, outputs], as matrix products need it. */
  values: Int8Array;
  /** One per output: weight = value × scale. */
  scales: Float32Array;
  /** One per output: the sum of its quantised weights, with the scale applied. */
  sums: Float32Array;
}

/** @param weights row-major [outputs, inputs] */
export function quantizeWeights(weights: Float32Array, outputs: number, inputs: number): QuantizedWeights {
  const values = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  const sums = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const scale = Math.fround(maximumMagnitude(row) / WEIGHT_LIMIT) || 1;
    let sum = 0;
    for (let input = 0; input < inputs; input++) {
      const value = round((row[input] as number) / scale);
      const limited = Math.max(-WEIGHT_LIMIT, Math.min(WEIGHT_LIMIT, value));
      values[input * outputs + output] = limited;
      sum += limited;
    }
    scales[output] = scale;
    sums[output] = sum * scale;
  }
  return { values, scales, sums };
}

interface QuantizedBlocks {
  /** In the order of the weights, offset by 128. */
  values: Uint8Array;
  /** One per block: weight = (value - 128) × scale. */
  scales: Float32Array;
}

/** Symmetric, one scale per `blockSize` consecutive weights. */
export function quantizeBlocks(weights: Float32Array, blockSize: number): QuantizedBlocks {
  const values = new Uint8Array(weights.length);
  const scales = new Float32Array(weights.length / blockSize);
  for (let block = 0; block < scales.length; block++) {
    const start = block * blockSize;
    const scale = Math.fround(maximumMagnitude(weights.subarray(start, start + blockSize)) / 127) || 1;
    scales[block] = scale;
    for (let i = start; i < start + blockSize; i++) values[i] = OFFSET + round((weights[i] as number) / scale);
  }
  return { values, scales };
}

function maximumMagnitude(values: Float32Array): number {
  let maximum = 0;
  // An iterator takes several times as long, and there are 23 million weights.
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] as number);
    if (magnitude > maximum) maximum = magnitude;
  }
  return maximum;
}

/** `Math.round` for values above -128.5, in a quarter of the time. */
function round(value: number): number {
  return ((value + OFFSET + 0.5) | 0) - OFFSET;
}
