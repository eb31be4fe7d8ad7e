import { describe, expect, it } from 'vitest';
import { SuspectTurn } from './suspect-turn.js';

describe('the turn of suspects', () => {
  const turn = () => new SuspectTurn({ patienceMs: 100, aloneMs: 1000 });
  const quiet = { suspectsDue: true, othersDue: false, running: 0, nowMs: 5000 };

  it('comes at once if there is nothing else', () => {
    expect(turn().next(quiet)).toBe('suspect');
    expect(turn().next({ ...quiet, suspectsDue: false })).toBe('others');
  });

  it('comes after the other jobs, but not only after the last of an endless row', () => {
    const busy = turn();
    expect(busy.next({ ...quiet, othersDue: true })).toBe('others');
    expect(busy.next({ ...quiet, othersDue: true, running: 3, nowMs: 5099 })).toBe('others');
    expect(busy.next({ ...quiet, othersDue: true, running: 3, nowMs: 5100 })).toBe('nothing');
    expect(busy.next({ ...quiet, othersDue: true, nowMs: 5110 })).toBe('suspect');
  });

  it('comes although a long job does not end', () => {
    const busy = turn();
    expect(busy.next({ ...quiet, running: 1 })).toBe('others');
    expect(busy.next({ ...quiet, running: 1, nowMs: 5199 })).toBe('nothing');
    expect(busy.next({ ...quiet, running: 1, nowMs: 5200 })).toBe('suspect');
  });

  it('keeps others from starting until it ends or takes long', () => {
    const alone = turn();
    alone.begin(5000);
    const others = { suspectsDue: false, othersDue: true, running: 1 };
    expect(alone.next({ ...others, nowMs: 5999 })).toBe('nothing');
    expect(alone.next({ ...others, nowMs: 6000 })).toBe('others');
    alone.begin(7000);
    alone.end();
    expect(alone.next({ ...others, nowMs: 7001 })).toBe('others');
  });
});
