import fc from 'fast-check';
import { applyPatch } from '../../src/apply-patch.js';
import type { Json } from '../../src/json.js';
import type { PatchOperation } from '../../src/json-patch.js';
import { formatPointer, getAt } from '../../src/json-pointer.js';

export const memberName = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  'x/y',
  '~1',
  '0',
  '-',
  '__proto__',
  'constructor',
  'prototype',
);

/** Small documents with few different names and values, so that collisions are likely. Some names are hazardous. */
export const document: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, 2, '', 'a', 'text'),
    fc.array(tie('json'), { maxLength: 5, depthIdentifier: 'json' }),
    fc
      .array(fc.tuple(memberName, tie('json')), { maxLength: 4, depthIdentifier: 'json' })
      .map((members): Json => Object.fromEntries(members)),
  ),
})).json;

export interface PatchShape {
  maxLength?: number;
  kinds?: readonly PatchOperation['op'][];
  /** Values for `add` and `replace`. */
  values?: fc.Arbitrary<Json>;
}

const allKinds = ['add', 'replace', 'test', 'remove', 'move', 'copy'] as const;

/** Returns a patch that applies to the document. Each operation fits the result of the earlier ones. */
export function patchFor(root: Json, random: fc.GeneratorValue, shape: PatchShape = {}): PatchOperation[] {
  const operations: PatchOperation[] = [];
  let current = root;
  const length = random(fc.nat, { max: shape.maxLength ?? 6 });
  while (operations.length < length) {
    const operation = operationFor(current, random, shape);
    current = applyPatch(current, [operation]);
    operations.push(operation);
  }
  return operations;
}

function operationFor(
  root: Json,
  random: fc.GeneratorValue,
  { kinds = allKinds, values = document }: PatchShape,
): PatchOperation {
  const segments = pick(random, placesIn(root));
  const path = formatPointer(segments);
  const kind = pick(random, kinds);
  if (kind === 'remove' && path !== '') return { op: kind, path };
  if (kind === 'replace') return { op: kind, path, value: random(() => values) };
  if (kind === 'test') return { op: kind, path, value: getAt(root, segments) as Json };
  if (kind === 'copy') return { op: kind, from: path, path: placeToAdd(root, random) };
  if (kind === 'move' && path !== '') {
    const target = placeToAdd(applyPatch(root, [{ op: 'remove', path }]), random);
    if (!target.startsWith(`${path}/`)) return { op: kind, from: path, path: target };
  }
  return { op: 'add', path: placeToAdd(root, random), value: random(() => values) };
}

/** Returns a pointer where `add` works: a new or existing member, an array index or end, or the whole document. */
function placeToAdd(root: Json, random: fc.GeneratorValue): string {
  const path = pick(random, placesIn(root));
  const parent = getAt(root, path);
  if (parent === null || typeof parent !== 'object') return formatPointer(path);
  if (!Array.isArray(parent)) return formatPointer([...path, random(() => memberName)]);
  const index = random(fc.nat, { max: parent.length + 1 });
  return formatPointer([...path, index > parent.length ? '-' : String(index)]);
}

function pick<T>(random: fc.GeneratorValue, choices: readonly T[]): T {
  return choices[random(fc.nat, { max: choices.length - 1 })] as T;
}

function placesIn(value: Json, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

export function freezeDeeply<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeeply(inner);
  }
  return value;
}
