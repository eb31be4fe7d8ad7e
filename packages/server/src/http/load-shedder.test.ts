import { describe, expect, it } from 'vitest';
import { LoadShedder } from './load-shedder.js';

function createShedder(delayMs = 400) {
  const changes: boolean[] = [];
  const shedder = new LoadShedder({ delayMs, onChange: (isShedding) => changes.push(isShedding) });
  let atMs = 0;
  shedder.observe(0, atMs);
  /** Lets the time pass with ticks that are all late by as much. */
  const pass = (forMs: number, lateMs: number) => {
    for (const endMs = atMs + forMs; atMs < endMs; ) {
      atMs += 20 + lateMs;
      shedder.observe(lateMs, atMs);
    }
  };
  return { shedder, changes, pass };
}

describe('shedding load', () => {
  it('begins when the delay stays high for three seconds, and ends when it was low for three', () => {
    const { shedder, pass } = createShedder();
    pass(2000, 480);
    expect(shedder.isShedding).toBe(false);
    pass(1000, 480);
    expect(shedder.isShedding).toBe(true);
    pass(2000, 0);
    expect(shedder.isShedding).toBe(true);
    pass(1000, 0);
    expect(shedder.isShedding).toBe(false);
  });

  it('does not begin after one stall, however long', () => {
    const { changes, pass } = createShedder();
    pass(60_000, 60_000);
    pass(1000, 0);
    pass(60_000, 60_000);
    pass(10_000, 0);
    expect(changes).toEqual([]);
  });

  it('weighs delays by their time: many short waits do not hide a long one in each second', () => {
    const { shedder, pass } = createShedder();
    for (let second = 0; second < 3; second++) {
      pass(900, 880);
      pass(100, 0);
    }
    expect(shedder.isShedding).toBe(true);
  });

  it('goes on while the delay is between half of the limit and the limit', () => {
    const { shedder, pass } = createShedder();
    pass(10_000, 300);
    expect(shedder.isShedding).toBe(false);
    pass(4000, 500);
    expect(shedder.isShedding).toBe(true);
    pass(10_000, 300);
    expect(shedder.isShedding).toBe(true);
    pass(4000, 100);
    expect(shedder.isShedding).toBe(false);
  });

  it('ends after 30 seconds at the latest, and begins again only after three more', () => {
    const { shedder, changes, pass } = createShedder();
    pass(3000, 480);
    expect(changes).toEqual([true]);
    pass(29_000, 480);
    expect(changes).toEqual([true]);
    pass(1000, 480);
    expect(changes).toEqual([true, false]);
    pass(2000, 480);
    expect(shedder.isShedding).toBe(false);
    pass(1000, 480);
    expect(shedder.isShedding).toBe(true);
  });

  it('never begins if it is off', () => {
    const { changes, pass } = createShedder(0);
    pass(60_000, 5000);
    expect(changes).toEqual([]);
  });
});
