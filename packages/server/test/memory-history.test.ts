import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { memoryHistory, mostEntries } from '../src/engine/history/memory-history.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import { remember } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { overrideOwn } from '../src/engine/one-memory/own-memories.js';
import { inWorkspace } from '../src/engine/tier-path.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

describeOneDatabase('the history of a memory', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const newName = (prefix: string) => `${prefix}${randomUUID()}`;
  const through = (caller: Caller, operation: string): Caller => ({ ...caller, operation });
  const sharing = (userId: string, namespace: string): Caller => ({
    ...callerOf(userId, 't1', [namespace]),
    writableNamespaces: [namespace],
  });
  const kind = customKind('plain');

  const told = async (caller: Caller, id: string) =>
    (await memoryHistory(engine(), caller, id))?.entries.map(
      ({ change, surface, actor }) => `${actor.userId ?? actor.serviceId} ${change} by ${surface}`,
    );

  it('says who wrote it through which surface, and what changed since', async () => {
    const me = callerOf(newName('u'));
    const { memory } = await remember(engine(), through(me, 'semantic.store'), { kind, content: 'Tea.' });
    await updateMemory(engine(), through(me, 'memories.update'), memory.id, { tags: ['drink'] });
    const service = { ...me, actor: { userId: null, serviceId: 'crm', roles: ['service' as const] } };
    await updateMemory(engine(), through(service, 'gateway.override'), memory.id, { content: 'Coffee.' });
    const history = await memoryHistory(engine(), me, memory.id);
    expect(history?.memory).toMatchObject({ id: memory.id, surface: 'gateway', author: 'crm', trust: 'agent' });
    expect(await told(me, memory.id)).toEqual([
      `${me.userId} written by memory_service`,
      `${me.userId} changed by library`,
      'crm written by gateway',
    ]);
    expect(JSON.stringify(history?.entries)).not.toMatch(/Tea|Coffee|drink/);
    const times = history?.entries.map(({ at }) => at.getTime()) ?? [];
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('is only for those who may read the memory', async () => {
    const me = callerOf(newName('u'));
    const { memory } = await remember(engine(), me, { kind, content: 'Mine.' });
    expect(await memoryHistory(engine(), callerOf('other'), memory.id)).toBeUndefined();
    expect(await memoryHistory(engine(), callerOf(me.userId, 't2'), memory.id)).toBeUndefined();
    expect(await memoryHistory(engine(), me, 'unknown')).toBeUndefined();
    await forgetMemories(engine(), me, [memory.id]);
    expect(await memoryHistory(engine(), me, memory.id)).toBeUndefined();
  });

  it('of a shared memory has the changes of all its writers', async () => {
    const namespace = newName('team:');
    const [ann, ben, eve] = [newName('ann'), newName('ben'), newName('eve')].map((name) => sharing(name, namespace));
    if (!ann || !ben || !eve) throw new Error('three callers are needed');
    await putNamespace(engine(), ann, { name: namespace, kind: 'team', expiresAt: null, metadata: null });
    const visibility = { namespace };
    const { memory } = await remember(engine(), through(ann, 'mcp.commit_memory'), { kind, content: 'A.', visibility });
    await updateMemory(engine(), through(ben, 'mcp.update_memory'), memory.id, { content: 'B.' });
    const { id } = memory;
    const listener = { ...ann, userId: '', actor: { userId: null, serviceId: 'memory-plugin', roles: [] } };
    await remember(engine(), through(listener, 'plugin.commit'), { id, kind, content: 'C.', visibility });
    const all = [`${ann.userId} written by mcp`, `${ben.userId} written by mcp`, 'memory-plugin written by plugin'];
    for (const reader of [ann, ben, eve]) expect(await told(reader, id)).toEqual(all);
    expect(await memoryHistory(engine(), callerOf(ben.userId), id)).toBeUndefined();
  });

  it('of a public memory is in the chain of its author', async () => {
    const [ann, ben] = [callerOf(newName('ann')), callerOf(newName('ben'))];
    const input = { kind, content: newName('public '), visibility: 'public' as const };
    const { memory } = await remember(engine(), through(ann, 'semantic.store'), input);
    expect(await told(ben, memory.id)).toEqual([`${ann.userId} written by memory_service`]);
  });

  it('shows nothing of an earlier memory of somebody else that had the same id', async () => {
    const [ann, ben] = [callerOf(newName('ann')), callerOf(newName('ben'))];
    const id = randomUUID();
    await remember(engine(), ann, { id, kind, content: 'Ann’s.' });
    await forgetMemories(engine(), ann, [id]);
    await remember(engine(), ben, { id, kind, content: 'Ben’s.' });
    expect(await told(ben, id)).toEqual([`${ben.userId} written by library`]);
    await forgetMemories(engine(), ben, [id]);
    const namespace = newName('team:');
    const eve = sharing(newName('eve'), namespace);
    await putNamespace(engine(), eve, { name: namespace, kind: 'team', expiresAt: null, metadata: null });
    await remember(engine(), eve, { id, kind, content: 'Eve’s.', visibility: { namespace } });
    expect(await told(eve, id)).toEqual([`${eve.userId} written by library`]);
  });

  it('of a derived memory is that of the record it comes from', async () => {
    const me = callerOf(newName('u'));
    const event = { event_id: 'e1', service_id: null, timestamp: new Date().toISOString(), source_type: null };
    const lists = { keywords: [], project_ids: [] };
    await writeEvent(engine(), through(callerOf('another'), 'events.write'), {
      ...event,
      ...lists,
      digest: 'Not mine.',
    });
    await writeEvent(engine(), through(me, 'events.write'), { ...event, ...lists, digest: 'We met.' });
    const [digest] = (await listMemories(engine(), me, { scope: { own: true }, limit: 1 })).items;
    await overrideOwn(engine(), through(me, 'gateway.override'), digest?.id ?? '', 'We did not meet.');
    const entries = [`${me.userId} written by documents`, `${me.userId} written by gateway`];
    expect(await told(me, digest?.id ?? '')).toEqual(entries);

    const place = newName('w');
    const owner = inWorkspace(through(me, 'provider.retain'), place);
    await retainTier(engine(), owner, { tier: 'pins', content: 'Green.', mode: 'append' });
    await retainTier(engine(), through(owner, 'mcp.memory_write'), { tier: 'pins', content: 'Blue.', mode: 'append' });
    const [piece] = (await listMemories(engine(), owner, { scope: { own: true }, limit: 1 })).items;
    expect(await told(owner, piece?.id ?? '')).toEqual([
      `${me.userId} written by provider`,
      `${me.userId} written by mcp`,
    ]);
  });

  it('is bounded', async () => {
    const me = callerOf(newName('u'));
    const { memory } = await remember(engine(), me, { kind, content: 'Tea.' });
    for (let count = 0; count < mostEntries + 2; count++) {
      await updateMemory(engine(), me, memory.id, { isPinned: count % 2 === 0 });
    }
    const entries = await told(me, memory.id);
    expect(entries).toEqual(Array.from({ length: mostEntries }, () => `${me.userId} changed by library`));
  });
});
