import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import type { MemoryPlugin, NewPluginMemory, PluginCall } from '../../src/ports/memory-plugin.js';

export function pluginCall(extra: Partial<PluginCall> = {}): PluginCall {
  const actor = { userId: null, serviceId: 'test', roles: [] };
  return { tenantId: 't1', userId: '', actor, operation: 'test', requestId: uuidv7(), ...extra };
}

/** Tests that every memory plugin must pass, however it is reached. */
export function describeMemoryPlugin(name: string, plugin: () => MemoryPlugin): void {
  describe(name, () => {
    const call = pluginCall();
    const newName = () => `workspace:${randomUUID()}`;
    const commit = (namespace: string, memory: Partial<NewPluginMemory>) =>
      plugin().commit(call, namespace, { content: 'x', kind: 'fact', source: 'agent', ...memory });
    const search = (namespaces: string[], query?: string) => plugin().search(call, { namespaces, query, limit: 20 });

    async function newNamespace(expiresAt: Date | null = null): Promise<string> {
      const name = newName();
      await plugin().putNamespace(call, { name, kind: 'workspace', expiresAt, metadata: null });
      return name;
    }

    it('reports its capabilities', async () => {
      expect(await plugin().health(call)).toEqual({
        status: 'ok',
        version: '1',
        capabilities: ['embedding', 'fts', 'ttl', 'pin', 'propagation'],
      });
    });

    it('creates, replaces, changes and deletes namespaces', async () => {
      const name = newName();
      const namespace = { name, kind: 'team' as const, expiresAt: new Date('2999-01-01'), metadata: { a: [1] } };
      const made = await plugin().putNamespace(call, namespace);
      expect(made).toEqual({ ...namespace, createdAt: expect.any(Date) });
      expect(await plugin().putNamespace(call, namespace)).toEqual(made);
      expect(await plugin().updateNamespace(call, name, { expiresAt: null })).toEqual({ ...made, expiresAt: null });
      const cleared = { ...made, expiresAt: null, metadata: null };
      expect(await plugin().updateNamespace(call, name, { metadata: null })).toEqual(cleared);
      await plugin().deleteNamespace(call, name);
      await expect(plugin().deleteNamespace(call, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(plugin().updateNamespace(call, name, { metadata: {} })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('returns memories as they were written', async () => {
      const name = await newNamespace();
      const memory = {
        content: 'The ferry leaves at nine.',
        kind: 'summary' as const,
        source: 'runtime' as const,
        expiresAt: new Date('2999-01-01T00:00:00.000Z'),
        propagation: { hops: [1, { b: null }] },
        isPinned: true,
      };
      const id = await commit(name, memory);
      const [found, ...others] = await search([name], 'ferry');
      expect(others).toEqual([]);
      const place = { id, namespace: name, createdAt: expect.any(Date), score: expect.any(Number) };
      expect(found).toEqual({ ...memory, ...place });
      const plain = await commit(name, { content: 'plain' });
      const listed = (await search([name])).find((one) => one.id === plain);
      expect(listed).toMatchObject({ isPinned: false, expiresAt: null, propagation: null });
      expect(listed?.score).toBeUndefined();
    });

    it('replaces a memory by id only within its namespace', async () => {
      const [here, there] = [await newNamespace(), await newNamespace()];
      const id = randomUUID();
      expect(await commit(here, { id, content: 'first' })).toBe(id);
      expect(await commit(here, { id, content: 'second' })).toBe(id);
      expect((await search([here])).map(({ content }) => content)).toEqual(['second']);
      await expect(commit(there, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(plugin().forget(call, id, there)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await plugin().forget(call, id, here);
      await expect(plugin().forget(call, id, here)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await search([here])).toEqual([]);
    });

    it('matches any word in several namespaces and returns pinned memories first', async () => {
      const [one, two] = [await newNamespace(), await newNamespace()];
      await commit(one, { content: 'Boats leave the harbour at dawn.' });
      await commit(two, { content: 'An old boat.', isPinned: true });
      await commit(two, { content: 'The boats are being painted.', kind: 'checkpoint' });
      const found = await search([one, two, newName()], 'harbour boats zebra');
      expect(found).toHaveLength(3);
      expect(found[0]?.content).toBe('An old boat.');
      const kinds = ['checkpoint'] as const;
      const chosen = await plugin().search(call, { namespaces: [one, two], query: 'boats', kinds, limit: 5 });
      expect(chosen.map(({ kind }) => kind)).toEqual(['checkpoint']);
      expect(await plugin().search(call, { namespaces: [one, two], limit: 1 })).toHaveLength(1);
      expect(await search([newName()], 'boats')).toEqual([]);
    });

    it('hides expired memories and namespaces', async () => {
      const soon = new Date(Date.now() + 300);
      const [name, passing] = [await newNamespace(), await newNamespace(soon)];
      await commit(name, { content: 'passing', expiresAt: soon });
      await commit(name, { content: 'staying' });
      await sleep(400);
      expect((await search([name, passing])).map(({ content }) => content)).toEqual(['staying']);
      await expect(commit(passing, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('reports errors with their codes', async () => {
      await expect(commit(newName(), {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const name = await newNamespace();
      await expect(commit(name, { content: '  ' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      await expect(commit(name, { embedding: [1, 2] })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });
  });
}
