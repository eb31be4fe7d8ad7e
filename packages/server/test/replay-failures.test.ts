import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { maxPatientTries, maxTries } from '../src/engine/conversations/last-try.js';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { listDocuments } from '../src/engine/documents/list-documents.js';
import type { Engine } from '../src/engine/engine.js';
import type { Extractor } from '../src/ports/extractor.js';
import { ExtractorError } from '../src/ports/extractor-error.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

describeOneDatabase('a replay whose extractor fails', (database) => {
  const running = useEngine(database);

  async function begin(fail: () => Error) {
    const caller = callerOf(`u-${randomUUID()}`);
    const extractor: Extractor = {
      ...{ name: 'failing', deterministic: false, local: false },
      extract: () => Promise.reject(fail()),
    };
    const faults: unknown[] = [];
    const engine: Engine = { ...running().engine, extractor, onFault: (error) => faults.push(error) };
    const messages = [{ id: 'm1', role: 'user' as const, content: 'I live in Lisbon.' }];
    const input = { conversationId: 'c1', profileId: 'project-copilot-v1', messages, replay: true };
    const { replayId } = await takeSnapshot(engine, caller, input);
    const ref = { tenantId: caller.tenantId, userId: caller.userId, replayId: replayId ?? '' };
    const read = () => getReplay(engine, caller, ref.replayId);
    return { caller, faults, read, run: (by: Engine = engine) => replayConversation(by, ref) };
  }

  it('queues the replay again and reports the error', async () => {
    const { caller, read, run } = await begin(() => new ExtractorError('unavailable', 'The model took too long'));
    await expect(run()).rejects.toThrow('The model took too long');
    expect(await read()).toMatchObject({ status: 'queued', attempts: 1, error: 'The model took too long' });
    await run(running().engine);
    expect(await read()).toMatchObject({ status: 'completed', attempts: 2, error: null });
    expect(await listDocuments(running().engine, caller, { limit: 10 })).toMatchObject({
      items: [{ name: 'user_dynamic.json' }],
    });
  });

  it('retries longer while the extractor is unavailable', async () => {
    const away = await begin(() => new ExtractorError('unavailable', 'The model is away'));
    for (let attempt = 1; attempt < maxPatientTries; attempt++) await expect(away.run()).rejects.toThrow();
    await away.run();
    expect(await away.read()).toMatchObject({ status: 'failed', attempts: maxPatientTries });
    expect(maxPatientTries).toBeGreaterThan(maxTries);
  });

  it('fails after the last try and succeeds when it is started again', async () => {
    const { caller, faults, read, run } = await begin(() => new Error('I live in Lisbon.'));
    for (let attempt = 1; attempt < maxTries; attempt++) await expect(run()).rejects.toThrow();
    await run();
    const error = 'An internal error; see the log under the id of the replay.';
    expect(await read()).toMatchObject({ status: 'failed', attempts: maxTries, error });
    expect(faults).toHaveLength(1);
    expect(await listDocuments(running().engine, caller, { limit: 10 })).toMatchObject({ items: [] });
    await run(running().engine);
    expect(await read()).toMatchObject({ status: 'completed', attempts: 1, error: null });
  });

  it('fails at once if a retry cannot help', async () => {
    const { read, run } = await begin(() => new ExtractorError('rejected', 'The model refused the request'));
    await run();
    expect(await read()).toMatchObject({ status: 'failed', attempts: 1, error: 'The model refused the request' });
  });
});
