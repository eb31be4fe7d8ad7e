import { Problem } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { ThreadLimitError } from '../../ports/threads.js';
import { WorkerThreads } from './worker-threads.js';

const limits = { timeoutMs: 20_000, memoryMegabytes: 64, concurrency: 2 };

/** Tasks are functions of `test-support/tasks.mjs`. */
const task = (name: string) => ({ module: new URL('./test-support/tasks.mjs', import.meta.url).href, name });

describe('threads', () => {
  const threads = new WorkerThreads(limits);

  it('run a function and return its result', async () => {
    expect(await threads.call(task('countBytes'), new Uint8Array([1, 2, 3]))).toBe(6);
    expect(await threads.call(task('countBytes'), Buffer.from([4, 5]))).toBe(9);
    expect(await threads.call(task('echo'), { text: 'é', list: [1, null] })).toEqual({ text: 'é', list: [1, null] });
  });

  it('move the bytes they get', async () => {
    const bytes = new Uint8Array(10);
    await threads.call(task('countBytes'), bytes);
    expect(bytes.length).toBe(0);
  });

  it('pass on problems with their details', async () => {
    const failing = threads.call(task('refuse'), 'why');
    await expect(failing).rejects.toBeInstanceOf(Problem);
    await expect(failing).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: 'why', details: { at: 1 } });
    await expect(threads.call(task('fail'), '')).rejects.toThrow('broken');
  });

  it('fail if the module exports no such function', async () => {
    await expect(threads.call(task('missing'), '')).rejects.toThrow('exports no missing');
  });

  it('are stopped if they take too long or too much memory, or when the caller gives up', async () => {
    const hasty = new WorkerThreads({ ...limits, timeoutMs: 200 });
    await expect(hasty.call(task('loop'), '')).rejects.toMatchObject({ limit: 'took_too_long' });
    await expect(threads.call(task('grow'), '')).rejects.toBeInstanceOf(ThreadLimitError);
    const giveUp = new AbortController();
    const looping = threads.call(task('loop'), '', { signal: giveUp.signal });
    giveUp.abort(new Error('given up'));
    await expect(looping).rejects.toThrow('given up');
  });

  it('wait for each other', async () => {
    const one = new WorkerThreads({ ...limits, concurrency: 1 });
    const results = await Promise.all([1, 2, 3].map((number) => one.call(task('echo'), number)));
    expect(results).toEqual([1, 2, 3]);
  });
});
