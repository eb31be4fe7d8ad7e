import { signsOf } from '../index/row-vectors.js';
import type { ScopePart, ScopeRows } from './scan.js';

/** In how many dimensions the sign of each row's vector differs from the query's, and up to which distance a row is near. */
interface Nearness {
  distances: Uint16Array;
  farthest: number;
}

/** From `fromRows` rows on, cosines of distant rows are estimated; those of the nearest `exactRows` stay exact. */
export interface Estimates {
  fromRows: number;
  exactRows: number;
}

/** Compares the signs of all rows with the query's. Returns undefined for a small scope, of which every cosine is computed. */
export function compareSigns(
  scope: ScopeRows,
  query: Float32Array,
  { fromRows, exactRows }: Estimates,
): Nearness | undefined {
  const open = scope.parts.filter(({ cosines }) => cosines === undefined);
  if (open.reduce((sum, { segment }) => sum + segment.count, 0) < fromRows) return undefined;
  const wanted = signsOf(query);
  const distances = new Uint16Array(scope.allowed.length).fill(notEmbedded);
  for (const [number, part] of scope.parts.entries()) {
    if (part.cosines === undefined) signDistances(part, scope, scope.bases[number] ?? 0, wanted, distances);
  }
  return { distances, farthest: nearestDistance(distances, query.length, exactRows) };
}

/** Returns the slots of each part whose vectors are needed and not loaded yet. */
export function lackingSlots(scope: ScopeRows, nearness: Nearness | undefined): number[][] {
  return scope.parts.map(({ segment, cosines }, number) => {
    const slots: number[] = [];
    if (cosines !== undefined || segment.vectors.lacking === 0) return slots;
    const base = scope.bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      if (segment.vectors.loaded[slot] === 0 && isCompared(scope, nearness, base + slot)) slots.push(slot);
    }
    return slots;
  });
}

/** Returns the cosine of every embedded row with the query, NaN for other rows. Vectors have unit length. */
export function cosines(scope: ScopeRows, query: Float32Array, nearness: Nearness | undefined): Float32Array {
  const result = new Float32Array(scope.allowed.length).fill(Number.NaN);
  if (nearness !== undefined) estimate(nearness, query.length, result);
  for (const [number, part] of scope.parts.entries()) {
    const base = scope.bases[number] ?? 0;
    if (part.cosines === undefined) compare(part, scope, base, { query, nearness, result });
    else takeGiven(part, scope, base, result);
  }
  return result;
}

/**
 * Returns the cosines with a message: partly those of the whole, partly those of the sentence that is nearest to each row. Where
 * cosines were given, they stay as they are.
 */
export function mixSentences(
  scope: ScopeRows,
  whole: Float32Array,
  sentences: readonly Float32Array[],
  share: number,
): Float32Array {
  if (sentences.length === 0) return whole;
  const nearest = new Float32Array(whole.length).fill(-1);
  for (const sentence of sentences) {
    const own = cosines(scope, sentence, undefined);
    for (let row = 0; row < own.length; row++) nearest[row] = Math.max(nearest[row] as number, own[row] as number);
  }
  return whole.map((cosine, row) => (1 - share) * cosine + share * (nearest[row] as number));
}

function isCompared({ allowed }: ScopeRows, nearness: Nearness | undefined, row: number): boolean {
  return nearness === undefined ? allowed[row] === 1 : (nearness.distances[row] as number) <= nearness.farthest;
}

/** Computes exact cosines of the near rows, or of all rows. */
function compare(
  { segment: { vectors, embedded, size } }: ScopePart,
  scope: ScopeRows,
  base: number,
  { query, nearness, result }: { query: Float32Array; nearness: Nearness | undefined; result: Float32Array },
): void {
  const { numbers } = vectors;
  for (let slot = 0; slot < size; slot++) {
    if (embedded[slot] === 1 && isCompared(scope, nearness, base + slot))
      result[base + slot] = dot(numbers, slot * query.length, query);
  }
}

/** Estimates the cosines of distant rows. */
function estimate({ distances, farthest }: Nearness, dimension: number, result: Float32Array): void {
  const cosineAt = Float32Array.from({ length: dimension + 1 }, (_, distance) =>
    Math.cos((Math.PI * distance) / dimension),
  );
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] as number;
    if (distance > farthest && distance !== notEmbedded) result[row] = cosineAt[distance] as number;
  }
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
  const { vectors, embedded, size } = segment;
  const { signWords } = vectors;
  const signs = vectors.signs(size);
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
function nearestDistance(distances: Uint16Array, dimension: number, exactRows: number): number {
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
