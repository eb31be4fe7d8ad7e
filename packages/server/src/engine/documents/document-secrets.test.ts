import { describe, expect, it } from 'vitest';
import type { Threads } from '../../ports/threads.js';
import { WorkerThreads } from '../../providers/threads/worker-threads.js';
import { withSlowResults } from '../slow-results.js';
import { DocumentSecrets } from './document-secrets.js';

const workers = new WorkerThreads({ timeoutMs: 30_000, memoryMegabytes: 256, concurrency: 1 });
const secret = 'A_TOKEN=hunter2hunter2';
const long = 'tea and milk. '.repeat(20_000);

/** Replaces the secrets in what is written, and returns how often a thread was asked. */
async function redacted<T>(work: (secrets: DocumentSecrets) => T) {
  let calls = 0;
  const threads: Threads = {
    call: (...given) => {
      calls++;
      return workers.call(...given);
    },
  };
  const { value, found } = await withSlowResults(async (slow) => {
    const secrets = new DocumentSecrets({ threads }, slow, { redactsSecrets: true }, []);
    return { value: work(secrets), found: secrets.found };
  });
  return { value, found, calls };
}

describe('the secrets of a document', () => {
  it('are replaced at once in a short value', async () => {
    const { value, calls } = await redacted((secrets) => secrets.replaceIn({ note: secret }));
    expect(value).toEqual({ note: '[REDACTED:TOKEN]' });
    expect(calls).toBe(0);
  });

  it('are replaced in a thread in a long value, with the same result', async () => {
    const { value, found, calls } = await redacted((secrets) => secrets.replaceIn({ note: secret, text: long }));
    expect(value).toEqual({ note: '[REDACTED:TOKEN]', text: long });
    expect(found).toEqual({ TOKEN: 1 });
    expect(calls).toBe(1);
  });

  it('are replaced in all values of a long patch with one call', async () => {
    const add = (value: string) => ({ op: 'add' as const, path: '/notes/-', value });
    const ops = [add(secret), { op: 'remove' as const, path: '/notes/0' }, add(long), add(secret)];
    const { value, found, calls } = await redacted((secrets) => secrets.replaceInPatch(ops));
    expect(value).toEqual([add('[REDACTED:TOKEN]'), ops[1], add(long), add('[REDACTED:TOKEN]')]);
    expect(found).toEqual({ TOKEN: 2 });
    expect(calls).toBe(1);
  });
});
