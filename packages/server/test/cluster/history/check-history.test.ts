import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory } from './check-history.js';
import { HistoryFile } from './history-file.js';
import type { Fault, ListOperation, Operation, RegisterOperation, SetOperation } from './operation.js';

type Times = [startedMs: number, endedMs: number];
type Rest = Partial<Pick<Operation, 'outcome' | 'client' | 'object' | 'id'>>;

let count = 0;
function occurrence([startedMs, endedMs]: Times, rest: Rest) {
  count += 1;
  return { id: `r${count}`, object: 't1/u1', client: 'c1', outcome: 'done' as const, startedMs, endedMs, ...rest };
}
const register = (times: Times, rest: Rest) => ({ model: 'register' as const, ...occurrence(times, rest) });
const read = (times: Times, value: string | null, rest: Rest = {}): RegisterOperation => ({
  ...register(times, rest),
  action: 'read',
  value,
});
const write = (times: Times, value: string | null, rest: Rest = {}): RegisterOperation => ({
  ...register(times, rest),
  action: 'write',
  value,
});
const swap = (times: Times, expected: string | null, value: string, rest: Rest = {}): RegisterOperation => ({
  ...register(times, rest),
  action: 'swap',
  expected,
  value,
});
const set = (times: Times, rest: Rest) => ({ model: 'set' as const, ...occurrence(times, rest) });
const add = (times: Times, element: string, rest: Rest = {}): SetOperation => ({
  ...set(times, rest),
  action: 'add',
  element,
});
const remove = (times: Times, element: string, rest: Rest = {}): SetOperation => ({
  ...set(times, rest),
  action: 'remove',
  element,
});
const list = (times: Times, elements: string[], isWhole = true): SetOperation => ({
  ...set(times, {}),
  action: 'read',
  elements,
  isWhole,
});
const log = (times: Times, rest: Rest) => ({ model: 'list' as const, ...occurrence(times, rest) });
const append = (times: Times, entry: string, rest: Rest = {}): ListOperation => ({
  ...log(times, rest),
  action: 'append',
  entry,
});
const readLog = (times: Times, entries: string[]): ListOperation => ({ ...log(times, {}), action: 'read', entries });

const unknown: Rest = { outcome: 'unknown' };
const refused: Rest = { outcome: 'refused' };
const kindsOf = (history: Operation[]): Fault['kind'][] => checkHistory(history).map(({ kind }) => kind);

describe('the checker of registers', () => {
  it.each<[string, RegisterOperation[]]>([
    ['reads that follow writes', [write([0, 1], 'a'), read([2, 3], 'a'), write([4, 5], 'b'), read([6, 7], 'b')]],
    ['reads on either side of a write at the same time', [write([0, 9], 'a'), read([1, 2], null), read([3, 4], 'a')]],
    ['a write without an answer that took effect', [write([0, 1], 'a', unknown), read([2, 3], 'a')]],
    ['one that took effect late', [write([0, 1], 'a', unknown), read([2, 3], null), read([9, 10], 'a')]],
    ['one that never did', [write([0, 1], 'a', unknown), read([2, 3], null), write([4, 5], 'b'), read([6, 7], 'b')]],
    ['a refused compare-and-set', [write([0, 1], 'a'), swap([2, 3], 'b', 'c', refused), read([4, 5], 'a')]],
    [
      'a compare-and-set that is refused because of one without an answer',
      [swap([0, 1], null, 'a', unknown), swap([2, 3], null, 'b', refused)],
    ],
    ['a removal', [write([0, 1], 'a'), write([2, 3], null), read([4, 5], null)]],
  ])('accepts %s', (_what, history) => {
    expect(checkHistory(history)).toEqual([]);
  });

  it.each<[string, Fault['kind'], RegisterOperation[]]>([
    ['a lost write', 'lost write', [write([0, 1], 'a'), write([2, 3], 'b'), read([4, 5], 'a')]],
    ['a lost first write', 'lost write', [write([0, 1], 'a'), read([2, 3], null)]],
    [
      'a stale read',
      'stale read',
      [write([0, 1], 'a'), write([2, 3], 'b'), read([4, 5], 'a', { client: 'c2' }), read([6, 7], 'b')],
    ],
    [
      'a write that took effect twice',
      'double write',
      [write([0, 1], 'a'), write([2, 3], 'b'), read([4, 5], 'b'), read([6, 7], 'a')],
    ],
    ['a value of somebody else', 'foreign data', [write([0, 1], 'a'), read([2, 3], 't2/u1')]],
    [
      'two winners of one compare-and-set',
      'lost write',
      [write([0, 1], 'a'), swap([2, 5], 'a', 'b'), swap([2, 5], 'a', 'c', { client: 'c2' })],
    ],
    [
      'a compare-and-set that was refused without a reason',
      'lost write',
      [write([0, 1], 'a'), swap([2, 3], 'a', 'b', refused)],
    ],
    [
      'a write without an answer that took effect and was undone',
      'double write',
      [write([0, 1], 'a'), write([2, 3], 'b', unknown), read([4, 5], 'b'), read([6, 7], 'a')],
    ],
  ])('finds %s', (_what, kind, history) => {
    const faults = checkHistory(history);
    expect(faults.map((fault) => fault.kind)).toEqual([kind]);
    expect(faults[0]?.detail).toContain('while the register must hold');
  });

  it('says so if it cannot decide', () => {
    const writers = Array.from({ length: 24 }, (_, index) => write([0, 100], `v${index}`, { client: `c${index}` }));
    const readers = writers.map(({ client }, index) => read([0, 100], `v${(index * 7) % 24}`, { client }));
    expect(kindsOf([...writers, ...readers, read([200, 201], 'nobody’s')])).toEqual(['undecided']);
  });

  it('accepts whatever happened in one order, however long the answers took', () => {
    const steps = fc.array(
      fc.record({
        action: fc.constantFrom('read', 'write', 'swap', 'miss'),
        before: fc.integer({ min: 0, max: 40 }),
        after: fc.integer({ min: 0, max: 40 }),
        isAnswered: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        expect(checkHistory(carryOut(taken))).toEqual([]);
      }),
    );
  });

  it('agrees with trying every order', () => {
    const value = fc.constantFrom('a', 'b', null);
    const times = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 4 }));
    const outcome = fc.constantFrom<Rest>({}, unknown);
    const any = fc.oneof(
      fc.tuple(times, value).map(([[start, length], seen]) => read([start, start + length], seen)),
      fc
        .tuple(times, fc.constantFrom('a', 'b'), outcome)
        .map(([[start, length], put, rest]) => write([start, start + length], put, rest)),
      fc
        .tuple(times, value, fc.constantFrom('c', 'd'), fc.constantFrom<Rest>({}, unknown, refused))
        .map(([[start, length], expected, put, rest]) => swap([start, start + length], expected, put, rest)),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), (drawn) => {
        const history = withoutRepeats(drawn);
        expect(checkHistory(history).length === 0).toBe(isOrderly(history, null));
      }),
      { numRuns: 500 },
    );
  });
});

interface Step {
  action: string;
  before: number;
  after: number;
  isAnswered: boolean;
}

function carryOut(steps: readonly Step[]): RegisterOperation[] {
  let value: string | null = null;
  return steps.map(({ action, before, after, isAnswered }, index) => {
    const times: Times = [10 * index - before, 10 * index + after];
    const rest = isAnswered ? {} : unknown;
    if (action === 'read') return read(times, value);
    if (action === 'miss') return swap(times, 'never', `m${index}`, refused);
    const last = value;
    value = `v${index}`;
    return action === 'write' ? write(times, value, rest) : swap(times, last, value, rest);
  });
}

/** No two writes of a register write the same value. */
function withoutRepeats(history: readonly RegisterOperation[]): RegisterOperation[] {
  const written = new Set<string | null>();
  return history.filter((one) => {
    if (one.action === 'read') return true;
    if (written.has(one.value)) return false;
    written.add(one.value);
    return true;
  });
}

/** The definition, without any cleverness. */
function isOrderly(left: readonly RegisterOperation[], value: string | null): boolean {
  const certain = left.filter(({ outcome }) => outcome !== 'unknown');
  if (certain.length === 0) return true;
  return left.some((one) => {
    if (certain.some((other) => other !== one && other.endedMs < one.startedMs)) return false;
    const rest = left.filter((other) => other !== one);
    if (one.action === 'read') return one.value === value && isOrderly(rest, value);
    if (one.action === 'write') return isOrderly(rest, one.value);
    const fits = one.expected === value;
    if (one.outcome === 'refused') return !fits && isOrderly(rest, value);
    return fits && isOrderly(rest, one.value);
  });
}

describe('the checker of sets', () => {
  it.each<[string, SetOperation[]]>([
    ['what was added', [add([0, 1], 'a'), add([0, 4], 'b'), list([2, 3], ['a']), list([5, 6], ['b', 'a'])]],
    ['an addition without an answer', [add([0, 1], 'a', unknown), list([2, 3], []), list([4, 5], ['a'])]],
    ['a refused one', [add([0, 1], 'a', refused), list([2, 3], [])]],
    ['a removal', [add([0, 1], 'a'), remove([2, 5], 'a'), list([3, 4], ['a']), list([6, 7], [])]],
    ['a removal without an answer', [add([0, 1], 'a'), remove([2, 3], 'a', unknown), list([4, 5], ['a'])]],
    ['a recall that shows a part', [add([0, 1], 'a'), add([0, 1], 'b'), list([2, 3], ['b'], false)]],
  ])('accepts %s', (_what, history) => {
    expect(checkHistory(history)).toEqual([]);
  });

  it.each<[string, Fault['kind'], SetOperation[]]>([
    ['a lost write', 'lost write', [add([0, 1], 'a'), list([2, 3], [])]],
    ['a double', 'double write', [add([0, 1], 'a'), list([2, 3], ['a', 'a'])]],
    ['a stale read', 'stale read', [add([0, 1], 'a'), list([2, 3], []), list([4, 5], ['a'])]],
    ['what was forgotten', 'stale read', [add([0, 1], 'a'), remove([2, 3], 'a'), list([4, 5], ['a'], false)]],
    ['what belongs to somebody else', 'foreign data', [add([0, 1], 'a'), list([2, 3], ['a', 't2/u1 b'], false)]],
    ['what a refused addition stored', 'foreign data', [add([0, 1], 'a', refused), list([2, 3], ['a'])]],
    [
      'what disappeared after it was seen',
      'lost write',
      [add([0, 1], 'a', unknown), list([2, 3], ['a']), list([4, 5], [])],
    ],
  ])('finds %s', (_what, kind, history) => {
    expect(kindsOf(history)).toEqual([kind]);
  });
});

describe('the checker of lists', () => {
  it.each<[string, ListOperation[]]>([
    ['appends in their order', [append([0, 1], 'a'), append([2, 3], 'b'), readLog([4, 5], ['a', 'b'])]],
    ['appends at the same time in any', [append([0, 3], 'a'), append([1, 2], 'b'), readLog([4, 5], ['b', 'a'])]],
    ['entries of others', [append([0, 1], 'a'), readLog([2, 3], ['x', 'a', 'y'])]],
    ['an append without an answer', [append([0, 1], 'a', unknown), readLog([2, 3], []), readLog([4, 5], ['a'])]],
  ])('accepts %s', (_what, history) => {
    expect(checkHistory(history)).toEqual([]);
  });

  it.each<[string, Fault['kind'][], ListOperation[]]>([
    ['a lost write', ['lost write'], [append([0, 1], 'a'), append([2, 3], 'b'), readLog([4, 5], ['b'])]],
    ['a double', ['double write'], [append([0, 1], 'a'), readLog([2, 3], ['a', 'a'])]],
    ['a stale read', ['stale read'], [append([0, 1], 'a'), readLog([2, 3], []), readLog([4, 5], ['a'])]],
    ['a wrong order', ['wrong order'], [append([0, 1], 'a'), append([2, 3], 'b'), readLog([4, 5], ['b', 'a'])]],
    ['a changed beginning', ['wrong order'], [readLog([0, 1], ['a', 'b']), readLog([2, 3], ['b', 'a'])]],
    ['a lost end', ['lost write'], [readLog([0, 1], ['a', 'b']), readLog([2, 3], ['a'])]],
    ['what was refused and yet written', ['double write'], [append([0, 1], 'a', refused), readLog([2, 3], ['a'])]],
    ['a list that nobody read', ['undecided'], [append([0, 1], 'a')]],
  ])('finds %s', (_what, kinds, history) => {
    expect(kindsOf(history)).toEqual(kinds);
  });
});

describe('a history', () => {
  it('is checked object by object', () => {
    const other: Rest = { object: 't2/u1' };
    expect(kindsOf([write([0, 1], 'a'), read([2, 3], null, other)])).toEqual([]);
    const faults = checkHistory([write([0, 1], 'a', other), read([2, 3], null, other), add([0, 1], 'a')]);
    expect(faults).toMatchObject([{ kind: 'lost write', object: 't2/u1' }]);
  });

  it('is kept as JSON lines, without a line that was cut off', () => {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-history-'));
    const file = new HistoryFile(join(directory, 'history.jsonl'));
    const operations: Operation[] = [write([0, 1], 'a'), add([2, 3], 'b'), readLog([4, 5], ['c'])];
    for (const operation of operations) file.record(operation);
    expect(file.read()).toEqual(operations);
    writeFileSync(file.path, '{"id": "r', { flag: 'a' });
    expect(file.read()).toEqual(operations);
    rmSync(directory, { recursive: true });
  });
});
