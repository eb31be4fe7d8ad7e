import { expect, it, vi } from 'vitest';
import { builtInAttributes } from '../../../engine/facts/built-in-attributes.js';
import type { Utterance } from '../../../ports/statement-reader.js';
import { WorkerThreads } from '../../threads/worker-threads.js';
import { readInThreads } from './read-in-threads.js';
import { statementReader } from './statement-reader.js';

const threads = new WorkerThreads({ timeoutMs: 60_000, memoryMegabytes: 256, concurrency: 2 });
const lexicon = statementReader.prepare(builtInAttributes);
const say = (text: string): Utterance => ({ text, at: new Date(0), speaker: 'user', timeZone: 'UTC' });

it('Many long texts are read in threads, in their order, and state the same', { timeout: 60_000 }, async () => {
  const pasted = 'Nothing of this is about anybody. '.repeat(800);
  const utterances = Array.from({ length: 20 }, (_, index) =>
    say(index % 7 === 0 ? `I live in Oslo.\n${pasted}` : pasted),
  );
  const calls = vi.spyOn(threads, 'call');
  const stated = await readInThreads(threads).read(utterances, lexicon);
  expect(calls).toHaveBeenCalledTimes(2);
  expect(stated).toEqual(await statementReader.read(utterances, lexicon));
  expect(stated.map(([first]) => first?.value ?? null).filter((value) => value !== null)).toHaveLength(3);
});

it('A text that takes too long is refused, and may be tried again', async () => {
  const hasty = new WorkerThreads({ timeoutMs: 1, memoryMegabytes: 256, concurrency: 2 });
  const reading = readInThreads(hasty).read(
    [...Array(10)].map(() => say('I live in Oslo. '.repeat(2000))),
    lexicon,
  );
  await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 30 });
});
