import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scopeOf } from '../src/engine/caller.js';
import { expireMemories } from '../src/engine/memories/expire-memories.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { getMemory } from '../src/engine/memories/get-memory.js';
import { getNamespace, putNamespace, updateNamespace } from '../src/engine/memories/namespaces.js';
import { remember } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import type { Tables } from '../src/ports/store.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const name = 'team:shared';
const partition = { kind: 'namespace', name } as const;
const anna = callerOf('anna', 't1', [name]);
const bruno = callerOf('bruno', 't1', [name]);

/** Long enough for another transaction to reach the lock. */
const meanwhileMs = 300;

describeEachDatabase('concurrent changes by several users', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;

  async function sharedMemory(content: string) {
    await putNamespace(engine(), anna, { name, kind: 'team', expiresAt: null, metadata: null });
    return (await remember(engine(), anna, { content, kind: 'fact', visibility: { namespace: name } })).memory;
  }

  /** Starts `work` while Anna has an uncommitted change. */
  async function whileAnnaWrites<T>(change: (tables: Tables) => void, work: () => Promise<T>): Promise<T> {
    let working: Promise<T> | undefined;
    await engine().store.write(scopeOf(anna), async (tables) => {
      tables.memories.lock(partition);
      change(tables);
      await tables.flushed();
      working ??= work();
      await sleep(meanwhileMs);
    });
    return working as Promise<T>;
  }

  it('merges changes to different fields of a memory', async () => {
    const memory = await sharedMemory('the plan');
    await whileAnnaWrites(
      (tables) => tables.memories.update({ ...memory, tags: ['from-anna'] }, null),
      () => updateMemory(engine(), bruno, memory.id, { isPinned: true }),
    );
    expect(await getMemory(engine(), anna, memory.id)).toMatchObject({ tags: ['from-anna'], isPinned: true });
  });

  it('reports no change for a memory that was just deleted', async () => {
    const memory = await sharedMemory('short-lived');
    const gone = (tables: Tables) => tables.memories.delete([memory.id]);
    expect(
      await whileAnnaWrites(gone, () => updateMemory(engine(), bruno, memory.id, { isPinned: true })),
    ).toBeUndefined();
    const another = await sharedMemory('forgotten once');
    const removed = (tables: Tables) => tables.memories.delete([another.id]);
    expect(await whileAnnaWrites(removed, () => forgetMemories(engine(), bruno, [another.id]))).toEqual([]);
  });

  it('merges changes to different fields of a namespace', async () => {
    await sharedMemory('anything');
    const soon = new Date(Date.now() + 600_000);
    const namespace = { name, kind: 'team', metadata: null, createdAt: new Date() };
    await whileAnnaWrites(
      (tables) => tables.namespaces.put({ ...namespace, expiresAt: soon }),
      () => updateNamespace(engine(), bruno, name, { metadata: { by: 'bruno' } }),
    );
    expect(await getNamespace(engine(), anna, name)).toMatchObject({ expiresAt: soon, metadata: { by: 'bruno' } });
  });

  it('keeps a memory whose expiry is removed while it expires', async () => {
    const memory = await sharedMemory('nearly over');
    const over = await updateMemory(engine(), anna, memory.id, { expiresAt: new Date(Date.now() - 1000) });
    if (over === undefined) throw new Error('it was there a moment ago');
    await whileAnnaWrites(
      (tables) => tables.memories.update({ ...over, expiresAt: null }, null),
      () => expireMemories(engine(), 't1'),
    );
    expect(await getMemory(engine(), anna, memory.id)).toMatchObject({ content: 'nearly over', expiresAt: null });
  });
});
