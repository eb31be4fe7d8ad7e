import { expect, it } from 'vitest';
import { functions } from '../../../../benchmarks/growth/functions.mjs';
import { isFull, report, timeoutMs } from '../support/attack-report.js';

const sampleSize = 8000;
/** Linear functions need a fraction of this; quadratic ones would need minutes. In CPU time, which a busy machine does not change. */
const mostMs = 3000;

it.each(functions)(
  '$name reads the worst texts in one go',
  { timeout: timeoutMs },
  async ({ where, most, call, inputs, name }) => {
    const cpuMs: Record<string, number> = {};
    for (const [input, make] of Object.entries(inputs)) {
      const value = make(isFull && where === 'loop' ? most : Math.min(most, sampleSize));
      const before = process.cpuUsage();
      await call(value);
      const { user, system } = process.cpuUsage(before);
      cpuMs[input] = (user + system) / 1000;
    }
    expect(Object.keys(cpuMs).length).toBeGreaterThan(0);
    if (!isFull) return;
    const slow = Object.entries(cpuMs).filter(([, ms]) => ms > mostMs);
    expect({ name, where, slow }).toEqual({ name, where, slow: [] });
  },
);

it('is counted', (context) => {
  const count = functions.reduce((sum, { inputs }) => sum + Object.keys(inputs).length, 0);
  report(context, 'growth', { functions: functions.length, texts: count });
  expect(count).toBeGreaterThan(functions.length);
});
