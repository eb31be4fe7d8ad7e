import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expireNamespaces } from '../src/engine/memories/expire-memories.js';
import { deleteNamespace, getNamespace, putNamespace, updateNamespace } from '../src/engine/memories/namespaces.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember } from '../src/engine/memories/remember.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const bare = { kind: 'team', expiresAt: null, metadata: null };

describeOneDatabase('namespaces', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const member = (...names: string[]) => callerOf('member', 't1', names);
  const search = (caller: ReturnType<typeof member>, ...namespaces: string[]) =>
    recall(engine(), caller, { text: 'plan', scope: { namespaces }, limit: 10 });

  it('creates a namespace once and keeps its creation time when it changes', async () => {
    const me = member('team:a');
    const made = await putNamespace(engine(), me, { ...bare, name: 'team:a', metadata: { x: 1 } });
    await sleep(5);
    const again = await putNamespace(engine(), me, { ...bare, name: 'team:a' });
    expect(again).toEqual({ ...made, metadata: null });
    const changed = await updateNamespace(engine(), me, 'team:a', { metadata: { y: 2 } });
    expect(changed).toMatchObject({ kind: 'team', expiresAt: null, metadata: { y: 2 } });
    expect(await getNamespace(engine(), me, 'team:a')).toEqual(changed);
    expect(await updateNamespace(engine(), me, 'team:none', { metadata: {} })).toBeUndefined();
  });

  it('shares memories only with callers who may use the namespace', async () => {
    await putNamespace(engine(), member('team:b'), { ...bare, name: 'team:b' });
    const written = await remember(engine(), member('team:b'), {
      content: 'the plan is set',
      kind: 'fact',
      visibility: { namespace: 'team:b' },
    });
    const other = callerOf('other', 't1', ['team:b']);
    expect(await search(other, 'team:b')).toHaveLength(1);
    expect(await search(callerOf('other', 't1', ['team:bb']), 'team:b')).toEqual([]);
    expect(await search(callerOf('other', 't2', ['team:b']), 'team:b')).toEqual([]);
    expect(
      await recall(engine(), member('team:b'), { text: 'plan', scope: { own: true, public: true }, limit: 10 }),
    ).toEqual([]);
    const updated = await remember(engine(), other, {
      id: written.memory.id,
      content: 'the plan changed',
      kind: 'fact',
      visibility: { namespace: 'team:b' },
    });
    expect(updated).toMatchObject({ outcome: 'updated', memory: { id: written.memory.id } });
  });

  it('deletes a namespace with its memories, also from search', async () => {
    const me = member('team:c');
    await putNamespace(engine(), me, { ...bare, name: 'team:c' });
    await remember(engine(), me, { content: 'plan c', kind: 'fact', visibility: { namespace: 'team:c' } });
    expect(await search(me, 'team:c')).toHaveLength(1);
    expect(await deleteNamespace(engine(), me, 'team:c')).toBe(true);
    expect(await deleteNamespace(engine(), me, 'team:c')).toBe(false);
    await putNamespace(engine(), me, { ...bare, name: 'team:c' });
    expect(await search(me, 'team:c')).toEqual([]);
  });

  it('starts empty when an expired namespace is created again', async () => {
    const me = member('team:d');
    await putNamespace(engine(), me, { ...bare, name: 'team:d', expiresAt: new Date(Date.now() + 1500) });
    const { memory } = await remember(engine(), me, {
      content: 'plan d',
      kind: 'fact',
      visibility: { namespace: 'team:d' },
    });
    expect(await search(me, 'team:d')).toHaveLength(1);
    await sleep(1600);
    expect(await search(me, 'team:d')).toEqual([]);
    expect(await getNamespace(engine(), me, 'team:d')).toBeUndefined();
    await putNamespace(engine(), me, { ...bare, name: 'team:d' });
    expect(await search(me, 'team:d')).toEqual([]);
    const { rows } = await running().database.pool.query('SELECT 1 FROM memhall.memories WHERE id = $1', [memory.id]);
    expect(rows).toEqual([]);
  });

  it('removes expired namespaces in a job', async () => {
    const me = member('team:e');
    await putNamespace(engine(), me, { ...bare, name: 'team:e', expiresAt: new Date(Date.now() - 1000) });
    expect(await expireNamespaces(engine(), 't1')).toBe(1);
    expect(await expireNamespaces(engine(), 't1')).toBe(0);
  });

  it('rejects writes to a missing namespace', async () => {
    const nowhere = { content: 'lost', kind: 'fact', visibility: { namespace: 'team:nowhere' } } as const;
    await expect(remember(engine(), member('team:nowhere'), nowhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
