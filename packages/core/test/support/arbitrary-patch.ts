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

/** Small documents with few different names and values, so that things coincide, and with names that have traps. */
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

/** A patch that applies to the document, each operation made for what the earlier ones left. */
export function patchFor(root: Json, random: fc.GeneratorValue, maxLength = 6): PatchOperation[] {
  const operations: PatchOperation[] = [];
  let current = root;
  const length = random(fc.nat, { max: maxLength });
  while (operations.length < length) {
    const operation = operationFor(current, random);
    current = applyPatch(current, [operation]);
    operations.push(operation);
  }
  return operations;
}

function operationFor(root: Json, random: fc.GeneratorValue): PatchOperation {
  const places = placesIn(root);
  const path = pick(random, places);
  const kind = random(() => fc.constantFrom('add', 'add', 'replace', 'test', 'remove', 'move', 'copy'));
  if (kind === 'remove' && path.length > 0) return { op: 'remove', path: formatPointer(path) };
  if (kind === 'replace') return { op: 'replace', path: formatPointer(path), value: random(() => document) };
  if (kind === 'test') return { op: 'test', path: formatPointer(path), value: getAt(root, path) as Json };
  if (kind === 'copy') return { op: 'copy', from: formatPointer(path), path: placeToAdd(root, random) };
  if (kind === 'move' && path.length > 0) {
    const without = applyPatch(root, [{ op: 'remove', path: formatPointer(path) }]);
    const target = placeToAdd(without, random);
    const move: PatchOperation = { op: 'move', from: formatPointer(path), path: target };
    if (target === move.from || !target.startsWith(`${move.from}/`)) return move;
  }
  return { op: 'add', path: placeToAdd(root, random), value: random(() => document) };
}

/** A pointer where `add` works: a member new or old, an index or the end of an array, or the whole document. */
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
