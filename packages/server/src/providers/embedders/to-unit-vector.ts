/** Returns a copy of unit length, or undefined if there is no direction: the numbers are not finite or all zero. */
export function toUnitVector(values: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] as number) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(values, (value) => value / length);
}
