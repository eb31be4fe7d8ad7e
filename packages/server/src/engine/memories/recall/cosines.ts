import { type Segment, signsOf } from '../index/segment.js';
import type { ScopePart, ScopeRows } from './scan.js';

/** From this many rows on, cosines of far rows are estimated; those of the nearest `exactRows` stay exact. */
const estimateFrom = 20_000;
const exactRows = 2000;

/** How many bits are set in sixteen. */
const bitCounts = new Uint8Array(65_536);
for (let bits = 1; bits < bitCounts.length; bits++) bitCounts[bits] = (bitCounts[bits >> 1] ?? 0) + (bits & 1);

/** Cosine of every embedded row with the query; NaN elsewhere. Vectors have unit length. */
export function cosines(scope: ScopeRows, query: Float32Array): Float32Array {
  const result = new Float32Array(scope.allowed.length).fill(Number.NaN);
  let open = 0;
  for (const [number, part] of scope.parts.entries()) {
    if (part.cosines !== undefined) takeGiven(part, scope, scope.bases[number] ?? 0, result);
    else open += part.segment.count;
  }
  if (open < estimateFrom) {
    forEachEmbedded(scope, (row, segment, slot) => {
      result[row] = dot(segment.vectors, slot * query.length, query);
    });
    return result;
  }
  const distances = signDistances(scope, query);
  const near = nearestDistance(distances, query.length);
  forEachEmbedded(scope, (row, segment, slot) => {
    const distance = distances[row] ?? 0;
    result[row] =
      distance <= near
        ? dot(segment.vectors, slot * query.length, query)
        : Math.cos((Math.PI * distance) / query.length);
  });
  return result;
}

function takeGiven({ segment, cosines }: ScopePart, { allowed }: ScopeRows, base: number, result: Float32Array): void {
  for (let slot = 0; slot < segment.size; slot++) {
    if (allowed[base + slot] === 1) result[base + slot] = cosines?.[slot] ?? Number.NaN;
  }
}

function forEachEmbedded(scope: ScopeRows, visit: (row: number, segment: Segment, slot: number) => void): void {
  for (const [number, { segment, cosines }] of scope.parts.entries()) {
    if (cosines !== undefined) continue;
    const base = scope.bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      if (scope.allowed[base + slot] === 1 && segment.embedded[slot] === 1) visit(base + slot, segment, slot);
    }
  }
}

const notEmbedded = 0xffff;

/** In how many dimensions a row's sign is another than the query's. The share of them grows with the angle between the two. */
function signDistances(scope: ScopeRows, query: Float32Array): Uint16Array {
  const wanted = signsOf(query);
  const distances = new Uint16Array(scope.allowed.length).fill(notEmbedded);
  forEachEmbedded(scope, (row, segment, slot) => {
    const signs = segment.signs();
    const { signWords } = segment;
    let distance = 0;
    const at = slot * signWords;
    for (let word = 0; word < signWords; word++)
      distance += bitCounts[(signs[at + word] as number) ^ (wanted[word] as number)] as number;
    distances[row] = distance;
  });
  return distances;
}

/** The greatest distance such that about `exactRows` rows are as near. */
function nearestDistance(distances: Uint16Array, dimension: number): number {
  const counts = new Int32Array(dimension + 1);
  for (const distance of distances) if (distance !== notEmbedded) counts[distance] = (counts[distance] ?? 0) + 1;
  let rows = 0;
  for (let distance = 0; distance <= dimension; distance++) {
    rows += counts[distance] ?? 0;
    if (rows >= exactRows) return distance;
  }
  return dimension;
}

/** Four sums at once: they do not wait for each other. Dimensions that four does not divide end in the loop after. */
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
