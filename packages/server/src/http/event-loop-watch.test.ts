import { describe, expect, it } from 'vitest';
import { EventLoopWatch, type Stall } from './event-loop-watch.js';

function createWatch(stallMs = 100) {
  const stalls: Stall[] = [];
  const delays: number[] = [];
  const watch = new EventLoopWatch(
    { stallMs, onStall: (stall) => stalls.push(stall), onDelay: (delayMs) => delays.push(delayMs) },
    0,
  );
  return { watch, stalls, delays };
}

describe('the watch of the event loop', () => {
  it('measures how late each tick is', () => {
    const { watch, stalls, delays } = createWatch();
    for (const atMs of [20, 41, 60, 180]) watch.tick(atMs);
    expect(delays).toEqual([0, 1, 0, 100]);
    expect(stalls).toEqual([{ operation: 'none', delayMs: 100 }]);
  });

  it('names the operation that ran longest', () => {
    const { watch, stalls } = createWatch();
    watch.mark('working.put', 5);
    watch.mark('snapshots.create', 10);
    watch.mark('working.get', 400);
    watch.tick(420);
    expect(stalls).toEqual([{ operation: 'snapshots.create', delayMs: 400 }]);
  });

  it('does not blame an operation that ran before the last tick', () => {
    const { watch, stalls } = createWatch();
    watch.mark('working.put', 5);
    watch.tick(20);
    watch.tick(500);
    expect(stalls).toEqual([{ operation: 'none', delayMs: 460 }]);
  });

  it('blames the operation that is running when the tick is due, and no other afterwards', () => {
    const { watch, stalls } = createWatch();
    watch.mark('job:replay', 19);
    watch.tick(300);
    watch.mark('working.get', 301);
    watch.tick(450);
    expect(stalls.map(({ operation }) => operation)).toEqual(['job:replay', 'working.get']);
  });

  it('blames several if many short operations made it late', () => {
    const { watch, stalls } = createWatch();
    for (let atMs = 0; atMs < 400; atMs += 4) watch.mark('working.get', atMs);
    watch.tick(400);
    expect(stalls).toEqual([{ operation: 'several', delayMs: 380 }]);
  });

  it('reports no stalls if told so', () => {
    const { watch, stalls, delays } = createWatch(0);
    watch.tick(5000);
    expect(stalls).toEqual([]);
    expect(delays).toEqual([4980]);
  });
});
