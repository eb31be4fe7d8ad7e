import { expect, it, vi } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { putUnresolved } from '../src/engine/conversations/unresolved.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember } from '../src/engine/memories/remember.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import type { UnresolvedPatch } from '../src/ports/unresolved-patches.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

describeEachDatabase('forgetting a user in the engine', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  const arriving = (user: string): Caller => ({ ...callerOf(user), since: performance.now() });
  const put = (caller: Caller) =>
    putWorkingValue(running().engine, caller, {
      planId: 'p',
      key: 'k',
      value: 1,
      ttlSeconds: undefined,
      precondition: { kind: 'none' },
    });

  it('permanently rejects a write that arrived before and had not finished', async () => {
    const early = arriving('early');
    await forgetUser(running().engine, arriving('early'));
    await expect(put(early)).rejects.toMatchObject({ code: 'CONFLICT' });
    await put(arriving('early'));
    await expect(put(early)).rejects.toMatchObject({ code: 'CONFLICT' });
    await put({ ...early, userId: 'somebody-else' });
  });

  it('also rejects earlier writes that wait for no database response, and accepts later ones', async () => {
    const { engine } = running();
    const fact = { content: 'I keep ducks.', kind: 'fact' } as const;
    const early = arriving('ducks');
    await remember(engine, early, fact);
    await forgetUser(engine, arriving('ducks'));
    await expect(remember(engine, early, fact)).rejects.toMatchObject({ code: 'CONFLICT' });
    const { memory } = await remember(engine, arriving('ducks'), fact);
    const found = await recall(engine, arriving('ducks'), { text: 'ducks', scope: { own: true }, limit: 9 });
    expect(found.map((one) => one.memory.id)).toEqual([memory.id]);
  });

  it('rejects earlier unresolved patches from a conversation', async () => {
    const { engine } = running();
    const early = arriving('replayed');
    await forgetUser(engine, arriving('replayed'));
    const now = new Date();
    const patch: UnresolvedPatch = {
      patchId: 'unp_1',
      userId: early.userId,
      replayId: 'rpl_1',
      profileId: 'project-copilot-v1',
      bindingId: 'user_dynamic',
      namespace: 'user',
      path: 'user_dynamic.json',
      baseVersion: 1,
      ops: [{ op: 'add', path: '/content/preferences', value: ['tea'] }],
      confidence: 1,
      evidence: null,
      idempotencyKey: 'k',
      status: 'review',
      attempts: 1,
      problemCode: 'CONFLICT',
      problem: '',
      nextAttemptAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await expect(putUnresolved(engine, early, patch, [])).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('removes what the user wrote into namespaces, and nothing that other users wrote', async () => {
    const { engine } = running();
    const [author, reader] = ['author', 'reader'].map((user) => callerOf(user, 't1', ['team']));
    if (author === undefined || reader === undefined) throw new Error('no callers');
    await putNamespace(engine, author, { name: 'team', kind: 'team', expiresAt: null, metadata: null });
    const visibility = { namespace: 'team' };
    await remember(engine, author, { content: 'The gate code is heron.', kind: 'fact', visibility });
    await remember(engine, reader, { content: 'The gate is green as a heron.', kind: 'fact', visibility });
    const ask = async () =>
      (await recall(engine, reader, { text: 'heron', scope: { namespaces: ['team'] }, limit: 9 })).map(
        ({ memory }) => memory.userId,
      );
    expect((await ask()).sort()).toEqual(['author', 'reader']);
    const { counts } = await forgetUser(engine, author);
    expect(counts).toMatchObject({ memories: 0, shared_memories: 1 });
    expect(await ask()).toEqual(['reader']);
  });

  it('drops the user’s data from this process’s memory', async () => {
    const { engine } = running();
    const me = callerOf('cached');
    await remember(engine, me, { content: 'I keep bees.', kind: 'fact' });
    await recall(engine, me, { text: 'bees', scope: { own: true }, limit: 1 });
    const before = engine.segments.count;
    await forgetUser(engine, me);
    expect(engine.segments.count).toBe(before - 1);
    expect(await recall(engine, me, { text: 'bees', scope: { own: true }, limit: 1 })).toEqual([]);
  });

  it('drops idle indexes from memory, so that none outlives a user forgotten on another server', async () => {
    const { engine } = running();
    const me = callerOf('idle');
    await remember(engine, me, { content: 'I keep goats.', kind: 'fact' });
    await recall(engine, me, { text: 'goats', scope: { own: true }, limit: 1 });
    engine.segments.dropIdle();
    expect(engine.segments.count).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 });
    engine.segments.dropIdle();
    vi.useRealTimers();
    expect(engine.segments.count).toBe(0);
  });
});
