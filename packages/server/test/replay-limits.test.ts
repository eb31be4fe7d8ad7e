import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { expect, it, vi } from 'vitest';
import { mutate } from '../src/engine/audit/mutate.js';
import { type Caller, systemCaller } from '../src/engine/caller.js';
import { unresolvedIdOf } from '../src/engine/conversations/apply-replay-patch.js';
import { getReplay, type ReplayRef, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { listUnresolved } from '../src/engine/conversations/unresolved.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { getProfile } from '../src/engine/documents/list-registry.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { payloadHash } from '../src/engine/idempotency.js';
import { compactJob } from '../src/jobs/compact-job.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, dynamicDocument, patchOf } from './support/engine-documents.js';
import { replayMessage } from './support/replay-message.js';

const verified = { evidence: { message_ids: ['m0'] }, last_verified_at: '2026-01-01T00:00:00.000Z' };
const twelve = Array.from({ length: 12 }, (_, index) => `preference ${index}`);

describeOneDatabase('a replay of a full document', (database) => {
  const running = useEngine(database);
  const newUser = () => callerOf(`u-${randomUUID()}`, `t-${randomUUID()}`);
  const say = (caller: Caller, content: string) => replayMessage(running().engine, caller, content);
  const read = async (caller: Caller) =>
    (await getDocument(running().engine, caller, dynamicDocument)).body.content as Record<string, Json[]>;
  const unresolved = async (caller: Caller) => (await listUnresolved(running().engine, caller, { limit: 100 })).items;
  const outcomeOf = async (caller: Caller, { replayId }: ReplayRef) =>
    (await getReplay(running().engine, caller, replayId))?.outcome;
  const reasons = async (caller: Caller) =>
    (await documentHistory(running().engine, caller, { ...dynamicDocument, limit: 20 })).items.map(
      ({ reason }) => reason,
    );

  function change(caller: Caller, ...ops: PatchOperation[]) {
    return patchDocument(running().engine, caller, { ...patchOf(ops), evidence: { message_ids: ['m0'] } });
  }

  const fill = (caller: Caller, preferences: string[] = twelve) =>
    change(caller, { op: 'add', path: '/content/preferences', value: preferences });

  /** Fills the document with preferences, which compaction never removes for their size. */
  const fillUp = (caller: Caller) => fill(caller, ['x'.repeat(9000), 'y'.repeat(8700)]);

  /** Runs a replay again as if the process had been killed before it recorded the outcome. */
  async function runAgain(caller: Caller, ref: ReplayRef) {
    await mutate(running().engine, caller, async (tables) => {
      const replay = await tables.replays.get(ref.replayId);
      if (replay !== undefined) tables.replays.put({ ...replay, status: 'running', finishedAt: null });
      return { result: undefined, mutations: [] };
    });
    await replayConversation(running().engine, ref);
  }

  const openReplayIds = (caller: Caller) =>
    running().engine.store.inspect(caller.tenantId, (tables) => {
      const soon = new Date(Date.now() + 1000);
      return tables.replays.open({ queued: soon, running: soon }, 10);
    });

  it('compacts the document instead of refusing, and stores what is removed as events', async () => {
    const caller = newUser();
    await fill(caller);
    const ref = await say(caller, 'My name is Dana. I prefer short answers.');
    expect(await outcomeOf(caller, ref)).toMatchObject({ patches_applied: 2, patches_unresolved: 0 });
    const { preferences, durable_facts } = await read(caller);
    expect(preferences).toEqual([...twelve.slice(3), 'I prefer short answers']);
    expect(durable_facts).toMatchObject([{ text: 'My name is Dana' }]);
    expect(await unresolved(caller)).toEqual([]);
    expect(await reasons(caller)).toEqual(['replay_update', 'compaction', 'replay_update', 'live_update']);
    const events = await searchEvents(running().engine, caller, { sourceType: 'compaction', limit: 10 });
    expect(events.map(({ event }) => event.digest).sort()).toEqual(twelve.slice(0, 3));
  });

  it('writes every section that fits, and keeps the others for review', async () => {
    const caller = newUser();
    await fillUp(caller);
    await change(caller, { op: 'add', path: '/content/durable_facts', value: [] });
    const ref = await say(caller, 'My name is Dana. I prefer short answers.');
    expect(await outcomeOf(caller, ref)).toMatchObject({ patches_applied: 1, patches_unresolved: 1 });
    expect((await read(caller)).preferences?.at(-1)).toBe('I prefer short answers');
    expect(await unresolved(caller)).toMatchObject([{ status: 'review', problemCode: 'DOCUMENT_SIZE_EXCEEDED' }]);
  });

  it('does not count its own sections as conflicts', async () => {
    const caller = newUser();
    const { engine } = running();
    const outcomes: string[] = [];
    const telemetry = {
      ...engine.telemetry,
      countDocumentWrite: (_: string, outcome: string) => outcomes.push(outcome),
    };
    await replayMessage(
      { ...engine, telemetry },
      caller,
      'My name is Dana. I prefer tea. I usually drink tea at noon.',
    );
    await vi.waitFor(() => expect(outcomes).toEqual(['applied', 'applied', 'applied']));
  });

  it('makes room for as many entries as a conversation brings', async () => {
    const caller = newUser();
    await fill(caller);
    const drinks = ['tea', 'juice', 'water', 'coffee', 'milk'];
    await say(caller, drinks.map((drink) => `I prefer ${drink} in the morning.`).join(' '));
    expect((await read(caller)).preferences).toEqual([
      ...twelve.slice(5),
      ...drinks.map((drink) => `I prefer ${drink} in the morning`),
    ]);
  });

  it('keeps the last entries of a conversation that brings more than a section can hold', async () => {
    const caller = newUser();
    const drinks = Array.from({ length: 15 }, (_, index) => `tea number ${index + 10}`);
    const ref = await say(caller, drinks.map((drink) => `I prefer ${drink}.`).join(' '));
    expect(await outcomeOf(caller, ref)).toMatchObject({ facts_refused: { too_many: 3 }, patches_unresolved: 0 });
    expect((await read(caller)).preferences).toEqual(drinks.slice(3).map((drink) => `I prefer ${drink}`));
  });

  it('writes no more operations than a patch may have', async () => {
    const caller = newUser();
    const { engine } = running();
    const starter = (await getProfile(engine, caller, 'project-copilot-v1')).profile as ProfileSource;
    const { profile_id: _, ...rest } = starter;
    const document_bindings = rest.document_bindings.map((binding) => ({ ...binding, max_ops: 3 }));
    const admin = systemCaller(caller.tenantId, '', 'test');
    const profile = { profileId: 'narrow', precondition: { kind: 'none' } as const };
    await registerProfile(engine, admin, { ...profile, source: { ...rest, document_bindings } });
    const facts = ['My name is Dana.', 'I live in Lisbon.', 'I work as a nurse.', 'My manager is Tom.', 'I am vegan.'];
    for (const fact of facts) await replayMessage(engine, caller, fact, { profileId: 'narrow' });
    const later = '2026-05-02T10:00:00.000Z';
    const options = { profileId: 'narrow', timestamp: later };
    const ref = await replayMessage(engine, caller, `${facts.join(' ')} I own a boat.`, options);
    expect(await outcomeOf(caller, ref)).toMatchObject({
      facts_confirmed: 5,
      patches_applied: 1,
      patches_unresolved: 0,
    });
    const verified = (await read(caller)).durable_facts?.map(
      (entry) => (entry as { last_verified_at: string }).last_verified_at,
    );
    expect(verified?.filter((time) => time === later)).toHaveLength(3);
  });

  it('adds a correction again if compaction removed what it corrects', async () => {
    const caller = newUser();
    const facts = ['I live in Lisbon', ...Array.from({ length: 79 }, (_, index) => `Fact ${index}`)];
    const value = facts.map((text) => ({ text, confidence: text.startsWith('I') ? 0.8 : 0.9, ...verified }));
    await change(caller, { op: 'add', path: '/content/durable_facts', value });
    await say(caller, 'I live in Porto now. My name is Dana.');
    const texts = (await read(caller)).durable_facts?.map((entry) => (entry as { text: string }).text);
    expect(texts).toHaveLength(66);
    expect(texts?.slice(-2)).toEqual(['My name is Dana', 'I live in Porto now']);
    expect(texts).not.toContain('I live in Lisbon');
  });

  it('applies a refused patch once compaction finds room for it', async () => {
    const caller = newUser();
    await fillUp(caller);
    await say(caller, 'My name is Dana. I live in Lisbon.');
    const compact = () =>
      compactJob.run(running().jobContext, { tenantId: caller.tenantId }, new AbortController().signal);
    expect(await compact()).toMatchObject({ applied: 0 });
    expect(await unresolved(caller)).toMatchObject([{ status: 'review', attempts: 2 }]);
    await fill(caller, ['x']);
    await say(caller, 'My name is Dana.');
    expect(await compact()).toMatchObject({ applied: 1 });
    expect(await unresolved(caller)).toEqual([]);
    expect((await read(caller)).durable_facts).toMatchObject([
      { text: 'My name is Dana' },
      { text: 'I live in Lisbon' },
    ]);
  });

  it('leaves one patch to review however often it runs', async () => {
    const caller = newUser();
    await fillUp(caller);
    const ref = await say(caller, 'My name is Dana.');
    await runAgain(caller, ref);
    expect(await unresolved(caller)).toMatchObject([{ status: 'review', problemCode: 'DOCUMENT_SIZE_EXCEEDED' }]);
  });

  it('applies each section once when it is killed in between', async () => {
    const caller = newUser();
    const killed = new AbortController();
    const { engine } = running();
    const telemetry = { ...engine.telemetry, countDocumentWrite: () => killed.abort(new Error('killed')) };
    const replay = replayMessage(engine, caller, 'My name is Dana. I prefer tea.', {
      replay: (beside, ref) => replayConversation({ ...beside, telemetry }, ref, killed.signal),
    });
    await expect(replay).rejects.toThrow('killed');
    expect(await read(caller)).toMatchObject({ durable_facts: [{ text: 'My name is Dana' }], preferences: [] });
    // Otherwise the fact would be known, and not be proposed again.
    await change(caller, { op: 'remove', path: '/content/durable_facts/0' });
    const [{ replayId } = { replayId: '' }] = await openReplayIds(caller);
    await replayConversation(engine, { ...caller, replayId });
    expect(await read(caller)).toMatchObject({ durable_facts: [], preferences: ['I prefer tea'] });
  });

  /** Replays a conversation whose document was written as a whole, by a version that did not split patches. */
  async function afterUpgrade(caller: Caller, before: (key: string, replayId: string) => Promise<unknown>) {
    const { engine } = running();
    const ref = await replayMessage(engine, caller, 'My name is Dana. I prefer tea.', {
      async replay(beside, ref) {
        await before(`replay-${ref.replayId}-user_dynamic-user_dynamic.json`, ref.replayId);
        await replayConversation(beside, ref);
      },
    });
    expect(await getReplay(engine, caller, ref.replayId)).toMatchObject({ status: 'completed' });
  }

  it('applies nothing again that was applied before an upgrade', async () => {
    const caller = newUser();
    await afterUpgrade(caller, async (key) => {
      const idempotency = { key, payloadHash: payloadHash([key]) };
      await addPreference(running().engine, caller, 'I prefer tea', { idempotency });
      await change(caller, { op: 'remove', path: '/content/preferences/0' });
    });
    expect(await read(caller)).toMatchObject({ durable_facts: [], preferences: [] });
    expect(await unresolved(caller)).toEqual([]);
  });

  it('replaces a patch that was refused as a whole before an upgrade', async () => {
    const caller = newUser();
    await fillUp(caller);
    await afterUpgrade(caller, (idempotencyKey, replayId) =>
      mutate(running().engine, caller, async (tables, now) => {
        tables.unresolvedPatches.put({
          ...{
            patchId: unresolvedIdOf(idempotencyKey),
            userId: caller.userId,
            replayId,
            idempotencyKey,
            baseVersion: 1,
            ops: [],
          },
          ...{ ...dynamicDocument, profileId: 'project-copilot-v1', bindingId: 'user_dynamic' },
          ...{ confidence: 0.9, evidence: {}, status: 'review', attempts: 1, nextAttemptAt: null },
          ...{ problemCode: 'ARRAY_LIMIT_EXCEEDED', problem: 'x', createdAt: now, updatedAt: now },
        });
        return { result: undefined, mutations: [] };
      }),
    );
    expect((await read(caller)).preferences).toContain('I prefer tea');
    expect(await unresolved(caller)).toMatchObject([{ ops: [{ path: '/content/durable_facts/-' }] }]);
  });
});
