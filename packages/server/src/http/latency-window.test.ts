import { describe, expect, it } from 'vitest';
import { LatencyWindow } from './latency-window.js';

describe('the latency of the last hour', () => {
  it('separates now from before, and forgets after an hour', () => {
    let minute = 1000;
    const window = new LatencyWindow(() => minute * 60_000);
    for (let i = 0; i < 100; i++) window.observe('recall', 0.01);
    minute += 10;
    for (let i = 0; i < 90; i++) window.observe('recall', 0.02);
    for (let i = 0; i < 10; i++) window.observe('recall', 2);
    const { now, before } = window.read().get('recall') ?? {};
    expect(before).toMatchObject({ count: 100, meanMs: expect.closeTo(10) });
    expect(before?.p95Ms).toBeGreaterThanOrEqual(10);
    expect(before?.p95Ms).toBeLessThan(12);
    expect(now?.count).toBe(100);
    expect(now?.p50Ms).toBeGreaterThanOrEqual(20);
    expect(now?.p50Ms).toBeLessThan(24);
    expect(now?.p95Ms).toBeGreaterThanOrEqual(2000);
    expect(now?.p95Ms).toBeLessThan(2400);
    minute += 5;
    expect(window.read().get('recall')).toMatchObject({ now: null, before: { count: 200 } });
    minute += 60;
    expect(window.read().size).toBe(0);
  });

  it('counts what is shorter or longer than any bucket', () => {
    const window = new LatencyWindow(() => 0);
    window.observe('instant', 0);
    window.observe('endless', 10_000);
    expect(window.read().get('instant')?.now?.p95Ms).toBe(0.25);
    expect(window.read().get('endless')?.now?.p95Ms).toBeGreaterThan(60_000);
  });
});
