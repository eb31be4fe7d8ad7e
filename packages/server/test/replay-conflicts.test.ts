import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { expect, it } from 'vitest';
import { mutate } from '../src/engine/audit/mutate.js';
import type { Caller } from '../src/engine/caller.js';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import {
  applyUnresolved,
  discardUnresolved,
  listUnresolved,
  retryUnresolved,
} from '../src/engine/conversations/unresolved.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, dynamicDocument, patchOf } from './support/engine-documents.js';
import { replayMessage } from './support/replay-message.js';

const minuteMs = 60_000;

describeOneDatabase('a replay with concurrent writers', (database) => {
  const running = useEngine(database);
  const newUser = () => callerOf(`u-${randomUUID()}`, `t-${randomUUID()}`);
  const read = async (caller: Caller) =>
    (await getDocument(running().engine, caller, dynamicDocument)).body.content as Record<string, Json[]>;
  const texts = async (caller: Caller) =>
    (await read(caller)).durable_facts?.map((entry) => (entry as { text: string }).text);
  const unresolved = async (caller: Caller) => (await listUnresolved(running().engine, caller, { limit: 100 })).items;

  function change(caller: Caller, ...ops: PatchOperation[]) {
    return patchDocument(running().engine, caller, { ...patchOf(ops), evidence: { message_ids: ['m0'] } });
  }

  const setText = (caller: Caller, index: number, value: string) =>
    change(caller, { op: 'replace', path: `/content/durable_facts/${index}/text`, value });

  const say = (caller: Caller, content: string, meanwhile?: () => Promise<unknown>) =>
    replayMessage(running().engine, caller, content, meanwhile === undefined ? {} : { meanwhile });

  /** Runs a replay again as if the process had been killed before it recorded the outcome. */
  async function beginAgain(caller: Caller, ref: Parameters<typeof replayConversation>[1]) {
    const { engine } = running();
    await mutate(engine, caller, async (tables) => {
      const replay = await tables.replays.get(ref.replayId);
      if (replay !== undefined) tables.replays.put({ ...replay, status: 'running', finishedAt: null });
      return { result: undefined, mutations: [] };
    });
    await replayConversation(engine, ref);
    expect(await getReplay(engine, caller, ref.replayId)).toMatchObject({ status: 'completed', attempts: 2 });
  }

  /** Changes the same fact that the replay corrects. */
  async function conflict() {
    const caller = newUser();
    await say(caller, 'I live in Lisbon.');
    const ref = await say(caller, 'I live in Porto now.', () => setText(caller, 0, 'Lives in Lisbon, in Alfama.'));
    return { caller, ref };
  }

  const later = (caller: Caller, minutes: number) => {
    const now = new Date(Date.now() + minutes * minuteMs);
    return retryUnresolved({ ...running().engine, clock: { now: () => now } }, caller.tenantId);
  };

  it('keeps concurrent changes elsewhere in the document', async () => {
    const caller = newUser();
    await say(caller, 'My name is Dana. I live in Lisbon.');
    await say(caller, 'I live in Porto now. I prefer tea.', async () => {
      await addPreference(running().engine, caller, 'Short answers.');
      await change(caller, { op: 'remove', path: '/content/durable_facts/0' });
    });
    expect(await texts(caller)).toEqual(['I live in Porto now']);
    expect((await read(caller)).preferences).toEqual(['Short answers.', 'I prefer tea']);
    expect(await unresolved(caller)).toEqual([]);
  });

  it('retries a conflict with growing pauses, then leaves it for review', async () => {
    const { caller, ref } = await conflict();
    expect(await texts(caller)).toEqual(['Lives in Lisbon, in Alfama.']);
    const [waiting] = await unresolved(caller);
    const { createdAt, ...told } = waiting ?? { createdAt: new Date(0) };
    expect(told).toMatchObject({
      replayId: ref.replayId,
      status: 'waiting',
      attempts: 1,
      problemCode: 'ETAG_MISMATCH',
    });
    expect(waiting?.nextAttemptAt).toEqual(new Date(createdAt.getTime() + minuteMs));
    expect(await later(caller, 0)).toBe(0);
    for (const [attempts, minutes] of [2, 7, 40].entries()) {
      expect(await later(caller, minutes)).toBe(1);
      expect(await unresolved(caller)).toMatchObject([{ status: 'waiting', attempts: attempts + 2 }]);
    }
    expect(await later(caller, 400)).toBe(1);
    expect(await unresolved(caller)).toMatchObject([{ status: 'review', attempts: 5, nextAttemptAt: null }]);
    expect(await later(caller, 4000)).toBe(0);
    expect(await texts(caller)).toEqual(['Lives in Lisbon, in Alfama.']);
  });

  it('applies a patch automatically once the conflict is gone', async () => {
    const { caller } = await conflict();
    await setText(caller, 0, 'I live in Lisbon');
    expect(await later(caller, 2)).toBe(1);
    expect(await texts(caller)).toEqual(['I live in Porto now']);
    expect(await unresolved(caller)).toEqual([]);
  });

  it('adds a manually applied patch next to the concurrent change', async () => {
    const { caller } = await conflict();
    const [{ patchId = '' } = {}] = await unresolved(caller);
    await applyUnresolved(running().engine, caller, patchId);
    expect(await texts(caller)).toEqual(['Lives in Lisbon, in Alfama.', 'I live in Porto now']);
    expect(await unresolved(caller)).toEqual([]);
    await expect(applyUnresolved(running().engine, caller, patchId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes nothing when the patch is discarded', async () => {
    const { caller } = await conflict();
    const [{ patchId = '' } = {}] = await unresolved(caller);
    await discardUnresolved(running().engine, caller, patchId);
    expect(await texts(caller)).toEqual(['Lives in Lisbon, in Alfama.']);
    expect(await unresolved(caller)).toEqual([]);
  });

  it('leaves no patch to review when a second run finds no conflict', async () => {
    const { caller, ref } = await conflict();
    await setText(caller, 0, 'I live in Faro');
    await beginAgain(caller, ref);
    expect(await texts(caller)).toEqual(['I live in Porto now']);
    expect(await unresolved(caller)).toEqual([]);
  });

  it('lists and applies patches on the command line', async () => {
    const { caller } = await conflict();
    const of = ['--tenant', caller.tenantId, '--user', caller.userId, ...flagsOf(database())];
    const run = (...args: string[]) => runCommand(['unresolved', ...args, ...of], { MEMHALL_EMBEDDER: 'none' });
    const listed = await run('list', '--json');
    const shown = JSON.parse(listed.stdout);
    expect(shown).toMatchObject({ status: 'waiting', problem: { code: 'ETAG_MISMATCH', message: expect.any(String) } });
    const { patch_id: patchId } = shown;
    expect(await run('apply', patchId)).toMatchObject({
      code: 0,
      stdout: 'Applied: user/user_dynamic.json version=3\n',
    });
    expect(await run('discard', patchId)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'memhall: This unresolved patch does not exist: it may already have been applied or discarded.\n',
    });
  }, 120_000);
});
