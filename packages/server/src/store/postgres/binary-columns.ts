/** Columns of many rows as one binary string: a thousand rows cost the overhead of one. */
export const together = (bytes: string, condition = 'true') =>
  `coalesce(string_agg(${bytes}, ''::bytea) FILTER (WHERE ${condition}), ''::bytea)`;

/** As base64: node-postgres reads binary strings as text, and hexadecimal is half as long again. */
export const asText = (bytes: string) => `encode(${bytes}, 'base64')`;

export function fromText(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

export const bit = (condition: string) => `CASE WHEN ${condition} THEN '\\x01'::bytea ELSE '\\x00' END`;

/** Stands for a time that there is not: the earliest possible one. */
export const noTime = `'\\x8000000000000000'::bytea`;

export function hasTime(view: DataView, at: number): boolean {
  return view.getInt32(at) !== -(2 ** 31);
}

/** Revisions are far below 2^53. */
export function readBigint(view: DataView, at: number): number {
  return view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
}

const year2000Ms = 946_684_800_000;

/** Converts microseconds since the year 2000; returns NaN for `noTime`. */
export function readMilliseconds(view: DataView, at: number): number {
  return hasTime(view, at) ? readBigint(view, at) / 1000 + year2000Ms : Number.NaN;
}

export function readBigints(bytes: Buffer): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers = new Float64Array(bytes.length / 8);
  for (let index = 0; index < numbers.length; index++) numbers[index] = readBigint(view, 8 * index);
  return numbers;
}
