import { describe, expect, it } from 'vitest';
import { ensure, show } from '../src/expectation.js';
import { WrongUse } from '../src/faults.js';
import { parseKnownGaps } from '../src/known-gaps.js';
import type { Progress } from '../src/run-suite.js';
import { runSuite } from '../src/run-suite.js';
import type { Case, Suite } from '../src/suite.js';

interface Probe {
  signal: AbortSignal;
  broken: readonly string[];
}

interface Target {
  has?: readonly string[];
  /** Ids of the requirements that it fails. */
  broken?: readonly string[];
  cannotRemove?: readonly string[];
}

const trial = (id: string, title = id): Case<Probe> => ({
  title,
  verifies: [id],
  run: async ({ broken }) => ensure(!broken.includes(title), `${title} is broken`),
});

let released = 0;

const suite: Suite<Target, Probe> = {
  name: 'toy',
  title: 'Toy v1',
  groups: { A: 'First things', B: 'Second things' },
  requirements: [
    { id: 'TOY-A-01', level: 'must', sentence: 'It runs.' },
    { id: 'TOY-A-02', level: 'should', sentence: 'It shines.' },
    { id: 'TOY-B-01', level: 'must', sentence: 'It flies.', needs: ['wings'] },
    { id: 'TOY-B-02', level: 'must', sentence: 'It walks.', lacks: 'wings' },
  ],
  cases: [trial('TOY-A-01'), trial('TOY-A-01', 'again'), trial('TOY-A-02'), trial('TOY-B-01'), trial('TOY-B-02')],
  connect: async ({ has = [], broken = [], cannotRemove = [] }) => ({
    target: 'toy:1',
    capabilities: has,
    conditions: has,
    openProbe: (signal) => ({
      probe: { signal, broken },
      release: async () => {
        released += 1;
        return cannotRemove;
      },
    }),
    close: async () => undefined,
  }),
};

async function verdictsOf(...args: Parameters<typeof runSuite<Target, Probe>>): Promise<Record<string, string>> {
  const { groups } = await runSuite(...args);
  return Object.fromEntries(groups.flatMap(({ requirements }) => requirements).map(({ id, verdict }) => [id, verdict]));
}

describe('a run', () => {
  it('judges each requirement and never passes one without running a case', async () => {
    expect(await verdictsOf(suite, { has: ['wings'] })).toEqual({
      'TOY-A-01': 'passed',
      'TOY-A-02': 'passed',
      'TOY-B-01': 'passed',
      'TOY-B-02': 'absent',
    });
    expect((await runSuite(suite, {})).isPassed).toBe(true);
  });

  it('fails a requirement if one of its cases fails, with the message', async () => {
    const report = await runSuite(suite, { broken: ['again'] });
    expect(report).toMatchObject({ isPassed: false, counts: { failed: 1 } });
    expect(report.groups[0]?.requirements[0]).toMatchObject({
      id: 'TOY-A-01',
      verdict: 'failed',
      cases: [{ outcome: 'passed' }, { outcome: 'failed', message: 'again is broken' }],
    });
  });

  it('only warns about should requirements', async () => {
    const report = await runSuite(suite, { broken: ['TOY-A-02'] });
    expect(report).toMatchObject({ isPassed: true, counts: { warned: 1 } });
  });

  it('accepts a declared gap and fails on a closed one', async () => {
    const knownGaps = [{ id: 'TOY-A-01', reason: 'no wheels' }];
    const open = await runSuite(suite, { broken: ['again'] }, { knownGaps });
    expect(open).toMatchObject({ isPassed: true, counts: { gap: 1 } });
    const closed = await runSuite(suite, {}, { knownGaps });
    expect(closed).toMatchObject({ isPassed: false, counts: { closed: 1 } });
    const absent = await runSuite(suite, {}, { knownGaps: [{ id: 'TOY-B-01', reason: 'no wings' }] });
    expect(absent.isPassed).toBe(true);
  });

  it('accepts ids and groups, and rejects anything else', async () => {
    expect(await verdictsOf(suite, {}, { only: ['TOY-B', 'TOY-A-01'] })).toEqual({
      'TOY-A-01': 'passed',
      'TOY-B-01': 'absent',
      'TOY-B-02': 'passed',
    });
    await expect(runSuite(suite, {}, { only: ['TOY-A-0'] })).rejects.toThrow(WrongUse);
    await expect(runSuite(suite, {}, { knownGaps: [{ id: 'TOY-C-01', reason: 'x' }] })).rejects.toThrow(WrongUse);
  });

  it('ends early when aborted, releases its data, and does not pass', async () => {
    const stopping = new AbortController();
    const waits: Case<Probe> = {
      title: 'waits',
      verifies: ['TOY-A-02'],
      run: ({ signal }) =>
        new Promise((_, fail) => {
          signal.addEventListener('abort', () => fail(new Error('aborted')));
          stopping.abort();
        }),
    };
    released = 0;
    const report = await runSuite(
      { ...suite, cases: [waits, ...suite.cases] },
      {},
      { signal: stopping.signal, concurrency: 1 },
    );
    expect(report).toMatchObject({ isPassed: false, isCancelled: true, counts: { open: 3, passed: 0, failed: 0 } });
    expect(released).toBe(1);
  });

  it('reports its progress', async () => {
    const told: Progress[] = [];
    await runSuite(suite, {}, { onProgress: (progress) => told.push(progress), concurrency: 1 });
    expect(told.map(({ done, total }) => [done, total])).toEqual([
      [0, 4],
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
    expect(told.map(({ latest }) => latest?.title)).toEqual([undefined, 'TOY-A-01', 'again', 'TOY-A-02', 'TOY-B-02']);
  });

  it('reports data that could not be removed', async () => {
    const { leftBehind } = await runSuite(suite, { cannotRemove: ['x'] }, { only: ['TOY-A-02'] });
    expect(leftBehind).toEqual(['x']);
  });
});

describe('known gaps', () => {
  it('are a list of ids with reasons', () => {
    expect(parseKnownGaps('[{"id": "TOY-A-01", "reason": "no wheels"}]')).toEqual([
      { id: 'TOY-A-01', reason: 'no wheels' },
    ]);
  });

  it.each(['', '{', '{}', '[1]', '[null]', '[{"id": "A"}]', '[{"id": "A", "reason": " "}]', '[{"reason": "x"}]'])(
    'cannot be %s',
    (text) => {
      expect(() => parseKnownGaps(text)).toThrow(WrongUse);
    },
  );
});

describe('a value in a message', () => {
  it('is short, on one line, and harmless to a terminal', () => {
    expect(show('a\nb\u001b[31m\u202e')).toBe('"a\\nb\\u001b[31m\\u202e"');
    expect(show({ a: 'x'.repeat(1000) }).length).toBeLessThan(250);
    expect(show(undefined)).toBe('nothing');
  });
});
