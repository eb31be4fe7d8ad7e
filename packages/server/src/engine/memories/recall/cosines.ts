import { signsOf } from '../index/segment.js';
import type { ScopePart, ScopeRows } from './scan.js';

/** From this many rows on, cosines of distant rows are estimated; those of the nearest `exactRows` stay exact. */
const estimateFrom = 20_000;
const exactRows = 2000;

/** Returns the cosine of every embedded row with the query, NaN for other rows. Vectors have unit length. */
export function cosines(scope: ScopeRows, query: Float32Array): Float32Array {
  const result = new Float32Array(scope.allowed.length).fill(Number.NaN);
  let open = 0;
  for (const [number, part] of scope.parts.entries()) {
    if (part.cosines !== undefined) takeGiven(part, scope, scope.bases[number] ?? 0, result);
    else open += part.segment.count;
  }
  const near = open < estimateFrom ? undefined : estimate(scope, query, result);
  for (const [number, part] of scope.parts.entries()) {
    if (part.cosines === undefined) compare(part, scope, scope.bases[number] ?? 0, { query, near, result });
  }
  return result;
}

/** Computes exact cosines of the near rows, or of all rows. */
function compare(
  { segment }: ScopePart,
  { allowed }: ScopeRows,
  base: number,
  { query, near, result }: { query: Float32Array; near: Uint8Array | undefined; result: Float32Array },
): void {
  const { vectors, embedded, size } = segment;
  for (let slot = 0; slot < size; slot++) {
    const row = base + slot;
    if (near === undefined ? allowed[row] === 1 && embedded[slot] === 1 : near[row] === 1)
      result[row] = dot(vectors, slot * query.length, query);
  }
}

/** Estimates the cosines of all rows. Returns which rows are the nearest. */
function estimate(scope: ScopeRows, query: Float32Array, result: Float32Array): Uint8Array {
  const wanted = signsOf(query);
  const distances = new Uint16Array(scope.allowed.length).fill(notEmbedded);
  for (const [number, part] of scope.parts.entries()) {
    if (part.cosines === undefined) signDistances(part, scope, scope.bases[number] ?? 0, wanted, distances);
  }
  const farthest = nearestDistance(distances, query.length);
  const cosineAt = Float32Array.from({ length: query.length + 1 }, (_, distance) =>
    Math.cos((Math.PI * distance) / query.length),
  );
  const near = new Uint8Array(distances.length);
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] as number;
    if (distance <= farthest) near[row] = 1;
    else if (distance !== notEmbedded) result[row] = cosineAt[distance] as number;
  }
  return near;
}

function takeGiven({ segment, cosines }: ScopePart, { allowed }: ScopeRows, base: number, result: Float32Array): void {
  for (let slot = 0; slot < segment.size; slot++) {
    if (allowed[base + slot] === 1) result[base + slot] = cosines?.[slot] ?? Number.NaN;
  }
}

const notEmbedded = 0xffff;

/**
 * Counts the dimensions in which a row's sign differs from the query's. Their share grows with the angle between the
 * two.
 */
function signDistances(
  { segment }: ScopePart,
  { allowed }: ScopeRows,
  base: number,
  wanted: Int32Array,
  distances: Uint16Array,
): void {
  const { signWords, embedded, size } = segment;
  const signs = segment.signs();
  for (let slot = 0, at = 0; slot < size; slot++, at += signWords) {
    if (allowed[base + slot] === 0 || embedded[slot] === 0) continue;
    let distance = 0;
    for (let word = 0; word < signWords; word++)
      distance += bitCount((signs[at + word] as number) ^ (wanted[word] as number));
    distances[base + slot] = distance;
  }
}

/** Counts bits in pairs, then in fours, then in bytes, which a multiplication adds up. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the smallest distance within which there are at least `exactRows` rows. */
function nearestDistance(distances: Uint16Array, dimension: number): number {
  const counts = new Int32Array(dimension + 1);
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] as number;
    if (distance !== notEmbedded) counts[distance] = (counts[distance] as number) + 1;
  }
  let rows = 0;
  for (let distance = 0; distance <= dimension; distance++) {
    rows += counts[distance] ?? 0;
    if (rows >= exactRows) return distance;
  }
  return dimension;
}

/** Four independent sums, so that they can be computed in parallel. The last loop handles the remaining dimensions. */
function dot(vectors: Float32Array, offset: number, query: Float32Array): number {
  const { length } = query;
  const whole = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < whole; i += 4) {
    a += (vectors[offset + i] as number) * (query[i] as number);
    b += (vectors[offset + i + 1] as number) * (query[i + 1] as number);
    c += (vectors[offset + i + 2] as number) * (query[i + 2] as number);
    d += (vectors[offset + i + 3] as number) * (query[i + 3] as number);
  }
  for (let i = whole; i < length; i++) a += (vectors[offset + i] as number) * (query[i] as number);
  return a + b + c + d;
}
