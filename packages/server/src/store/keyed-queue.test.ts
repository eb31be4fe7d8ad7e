import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.js';

describe('KeyedQueue', () => {
  it('keeps the order within a key, even after a failure', async () => {
    const queue = new KeyedQueue();
    const seen: number[] = [];
    const results = await Promise.allSettled(
      [30, 1, 10].map((delayMs, index) =>
        queue.run('a', async () => {
          await sleep(delayMs);
          seen.push(index);
          if (index === 0) throw new Error('first');
        }),
      ),
    );
    expect(seen).toEqual([0, 1, 2]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('does not block other keys', async () => {
    const queue = new KeyedQueue();
    const seen: string[] = [];
    await Promise.all([
      queue.run('slow', async () => {
        await sleep(40);
        seen.push('slow');
      }),
      queue.run('fast', async () => {
        seen.push('fast');
      }),
    ]);
    expect(seen).toEqual(['fast', 'slow']);
  });
});
