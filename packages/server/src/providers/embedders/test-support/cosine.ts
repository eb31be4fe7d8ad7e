export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let lengths = 0;
  let otherLengths = 0;
  for (const [i, value] of a.entries()) {
    const other = b[i] as number;
    product += value * other;
    lengths += value * value;
    otherLengths += other * other;
  }
  return product / Math.sqrt(lengths * otherLengths);
}
