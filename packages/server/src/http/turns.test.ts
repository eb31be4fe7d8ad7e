import { Problem } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

function createTurns({ atOnce = 2, longestWaitMs = 1000 } = {}) {
  const state = { isBehind: true, nowMs: 0 };
  const turns = new Turns({ atOnce, longestWaitMs, isBehind: () => state.isBehind, now: () => state.nowMs });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const send = (tenantId: string, name = tenantId) =>
    void turns.take(tenantId).then(
      (end) => {
        begun.push(name);
        ends.push(end);
      },
      (error) => {
        if (!(error instanceof Problem)) throw error;
        refused.push(`${name} ${error.code} ${error.retryAfterSeconds}`);
      },
    );
  /** Ends as many requests as have begun, oldest first, with some time between two. */
  const end = async (count: number, everyMs = 0) => {
    for (let ended = 0; ended < count; ended++) {
      await settle();
      state.nowMs += everyMs;
      ends.shift()?.();
    }
    await settle();
  };
  return { turns, state, begun, refused, send, end };
}

const settle = () => new Promise((done) => setImmediate(done));

describe('turns', () => {
  it('are for all at once while nothing is behind, however many they are', async () => {
    const { state, begun, send } = createTurns();
    state.isBehind = false;
    for (let count = 0; count < 100; count++) send('a');
    await settle();
    expect(begun).toHaveLength(100);
  });

  it('are for some at a time while work is behind', async () => {
    const { turns, begun, send, end } = createTurns();
    for (const name of ['1', '2', '3', '4']) send('a', name);
    await settle();
    expect([begun, turns.waiting]).toEqual([['1', '2'], 2]);
    await end(1);
    expect([begun, turns.waiting]).toEqual([['1', '2', '3'], 1]);
  });

  it('go from tenant to tenant, so that nobody waits for all that one of them sends', async () => {
    const { begun, send, end } = createTurns();
    for (let count = 0; count < 100; count++) send('large');
    send('small', 'small 1');
    send('small', 'small 2');
    send('third');
    await end(8);
    expect(begun.slice(2, 9)).toEqual(['large', 'small 1', 'third', 'large', 'small 2', 'large', 'large']);
  });

  it('are refused at once if they would come too late, and only to those whose line is too long', async () => {
    const { refused, begun, send, end } = createTurns({ atOnce: 1 });
    for (let count = 0; count < 50; count++) send('large');
    await end(40, 100);
    expect(refused).toEqual([]);
    for (let count = 0; count < 50; count++) send('large');
    send('small');
    await settle();
    expect(refused.length).toBeGreaterThan(35);
    expect(new Set(refused)).toEqual(new Set(['large UNAVAILABLE 2']));
    await end(2, 100);
    expect(begun.slice(-2)).toContain('small');
  });

  it('are refused at once from the second turn on, when the time between turns is known', async () => {
    const { refused, send, end } = createTurns({ atOnce: 1 });
    for (let count = 0; count < 20; count++) send('a');
    await end(2, 400);
    send('a');
    await settle();
    expect(refused).toEqual(['a UNAVAILABLE 7']);
  });

  it('are refused to those that have waited too long after all', async () => {
    const { turns, state, refused, send } = createTurns({ atOnce: 1 });
    for (const name of ['1', '2', '3']) send('a', name);
    state.nowMs = 900;
    send('a', '4');
    turns.look();
    expect(turns.waiting).toBe(3);
    state.nowMs = 1100;
    turns.look();
    await settle();
    expect([refused, turns.waiting]).toEqual([['2 UNAVAILABLE 1', '3 UNAVAILABLE 1'], 1]);
  });

  it('are never refused if no time is set', async () => {
    const { turns, state, refused, send, end } = createTurns({ atOnce: 1, longestWaitMs: 0 });
    for (let count = 0; count < 100; count++) send('a');
    await end(50, 1000);
    state.nowMs += 1e6;
    turns.look();
    send('a');
    await settle();
    expect([refused, turns.waiting]).toEqual([[], 50]);
  });

  it('go on without an end of a request once work is not behind any more', async () => {
    const { turns, state, begun, send } = createTurns({ atOnce: 1 });
    for (const name of ['1', '2', '3']) send('a', name);
    state.isBehind = false;
    turns.look();
    await settle();
    expect(begun).toEqual(['1', '2', '3']);
  });

  it('are given back once, however often that is said', async () => {
    const { turns, begun, send } = createTurns({ atOnce: 1 });
    const end = await turns.take('a');
    for (const name of ['1', '2']) send('a', name);
    end();
    end();
    await settle();
    expect(begun).toEqual(['1']);
  });
});
