import { describe, expect, it } from 'vitest';
import { withSlowResults } from './slow-results.js';

describe('results that take long', () => {
  it('are found between two tries, once for each input', async () => {
    const log: string[] = [];
    const found = await withSlowResults(async (slow) => {
      log.push('begin');
      const find = async ({ a }: { a: number }) => {
        log.push(`find ${a}`);
        return 2 * a;
      };
      const sum = slow.get('double', { a: 1 }, find) + slow.get('double', { a: 2 }, find);
      log.push('end');
      return sum;
    });
    expect(found).toBe(6);
    expect(log).toEqual(['begin', 'find 1', 'begin', 'find 2', 'begin', 'end']);
  });

  it('are found again if what they depend on has changed, but not without end', async () => {
    let state = 0;
    const growing = withSlowResults(async (slow) => slow.get('x', { state: state++ }, async () => 'never used'));
    await expect(growing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('pass on why they could not be found', async () => {
    const failing = withSlowResults(async (slow) =>
      slow.get('x', 1, async () => {
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
  });
});
