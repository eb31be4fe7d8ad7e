import type { Json } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { expireMemories, forgetRemovals } from '../src/engine/memories/expire-memories.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { getMemory } from '../src/engine/memories/get-memory.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import type { NewMemory } from '../src/engine/memories/new-memory.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { remember, rememberMany } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import type { MemoryFilter } from '../src/ports/memories.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

let people = 0;

/** Returns a user that no other test uses. */
function newUser() {
  people += 1;
  return callerOf(`user-${people}`);
}

const own = { own: true };
const both = { own: true, public: true };

function fact(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return { content, kind: 'fact', uniqueContent: true, ...rest };
}

function endless(): { [key: string]: Json } {
  const inner: { [key: string]: Json } = {};
  inner.again = inner;
  return inner;
}

describeEachDatabase('memories', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const all = async (caller: ReturnType<typeof newUser>, scope = own) =>
    (await listMemories(engine(), caller, { scope, limit: 100 })).items;

  describe('keys', () => {
    it('stores the same content only once', async () => {
      const me = newUser();
      const first = await remember(engine(), me, fact('Tea without milk', { tags: ['old'] }));
      const second = await remember(engine(), me, fact('Tea without milk', { tags: ['new'] }));
      expect([first.outcome, second.outcome]).toEqual(['created', 'updated']);
      expect(second.memory).toMatchObject({ id: first.memory.id, createdAt: first.memory.createdAt, tags: ['new'] });
      expect(await all(me)).toHaveLength(1);
    });

    it('treats contents that differ only in Unicode form as the same', async () => {
      const me = newUser();
      await remember(engine(), me, fact('Café'));
      expect((await remember(engine(), me, fact('Cafe\u0301'))).outcome).toBe('updated');
    });

    it('replaces the whole memory with the same external id', async () => {
      const me = newUser();
      const first = await remember(engine(), me, fact('version one', { externalId: 'doc' }));
      const second = await remember(engine(), me, fact('version two', { externalId: 'doc' }));
      expect(second.memory.id).toBe(first.memory.id);
      expect((await all(me)).map(({ content }) => content)).toEqual(['version two']);
      expect(await recall(engine(), me, { text: 'one', scope: own, limit: 5 })).toEqual([]);
    });

    it('adds an external id to an existing memory with the same content', async () => {
      const me = newUser();
      const bare = await remember(engine(), me, fact('shared text'));
      const named = await remember(engine(), me, fact('shared text', { externalId: 'a' }));
      expect(named).toMatchObject({ outcome: 'updated', memory: { id: bare.memory.id, externalId: 'a' } });
      expect((await remember(engine(), me, fact('shared text'))).memory).toMatchObject({
        id: bare.memory.id,
        externalId: 'a',
      });
    });

    it('keeps memories with different external ids apart even if their contents match', async () => {
      const me = newUser();
      await remember(engine(), me, fact('boilerplate', { externalId: 'a' }));
      await remember(engine(), me, fact('something else', { externalId: 'b' }));
      expect((await remember(engine(), me, fact('boilerplate', { externalId: 'b' }))).outcome).toBe('updated');
      expect(await all(me)).toHaveLength(2);
    });

    it('allows repeated conversation turns', async () => {
      const me = newUser();
      await rememberMany(engine(), me, [
        { content: 'ok', kind: customKind('turn') },
        { content: 'ok', kind: customKind('turn') },
      ]);
      expect(await all(me)).toHaveLength(2);
    });

    it('replaces a memory by id only for the same user and visibility', async () => {
      const me = newUser();
      const id = `m-${people}`;
      expect((await remember(engine(), me, { content: 'a', kind: 'fact', id })).outcome).toBe('created');
      expect((await remember(engine(), me, { content: 'b', kind: 'fact', id })).memory.content).toBe('b');
      await expect(
        remember(engine(), me, { content: 'c', kind: 'fact', id, visibility: 'public' }),
      ).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(remember(engine(), newUser(), { content: 'c', kind: 'fact', id })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });

    it('applies keys within a single call', async () => {
      const me = newUser();
      const results = await rememberMany(engine(), me, [
        fact('x', { externalId: 'k' }),
        fact('y', { externalId: 'k' }),
        fact('y'),
      ]);
      expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'updated']);
      expect(await all(me)).toHaveLength(1);
    });

    it('creates one row for concurrent identical upserts', async () => {
      const me = newUser();
      const results = await Promise.all(Array.from({ length: 12 }, () => remember(engine(), me, fact('at once'))));
      expect(new Set(results.map(({ memory }) => memory.id)).size).toBe(1);
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    });

    it('creates a new memory if the matching one has expired', async () => {
      const me = newUser();
      const old = await remember(engine(), me, fact('brief', { expiresAt: new Date(Date.now() - 1000) }));
      const fresh = await remember(engine(), me, fact('brief'));
      expect(fresh.outcome).toBe('created');
      expect(fresh.memory.id).not.toBe(old.memory.id);
      expect(await all(me)).toHaveLength(1);
    });
  });

  describe('public memories', () => {
    it('shows public memories to the whole tenant and to no other tenant', async () => {
      const [me, other] = [newUser(), newUser()];
      const { memory } = await remember(engine(), me, fact('Kubernetes runs on Tuesdays', { visibility: 'public' }));
      expect(await getMemory(engine(), other, memory.id)).toMatchObject({ id: memory.id, userId: me.userId });
      expect(await recall(engine(), other, { text: 'kubernetes', scope: both, limit: 5 })).toHaveLength(1);
      expect(await recall(engine(), other, { text: 'kubernetes', scope: own, limit: 5 })).toEqual([]);
      const stranger = callerOf(other.userId, 't2');
      expect(await getMemory(engine(), stranger, memory.id)).toBeUndefined();
      expect(await recall(engine(), stranger, { text: 'kubernetes', scope: both, limit: 5 })).toEqual([]);
    });

    it('lets only the author change or delete a public memory', async () => {
      const [me, other] = [newUser(), newUser()];
      const { memory } = await remember(
        engine(),
        me,
        fact('held', { visibility: 'public', externalId: `held-${people}` }),
      );
      const again = fact('taken', { visibility: 'public', externalId: `held-${people}` });
      await expect(remember(engine(), other, again)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(forgetMemories(engine(), other, [memory.id])).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(updateMemory(engine(), other, memory.id, { isPinned: true })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      const sameId = { content: 'taken', kind: 'fact', visibility: 'public', id: memory.id } as const;
      await expect(remember(engine(), other, sameId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await getMemory(engine(), me, memory.id)).toMatchObject({ content: 'held', isPinned: false });
    });

    it('leaves a public memory unchanged when another user stores the same content', async () => {
      const [me, other] = [newUser(), newUser()];
      const first = await remember(engine(), me, fact('public once', { visibility: 'public', tags: ['mine'] }));
      const second = await remember(engine(), other, fact('public once', { visibility: 'public', tags: ['theirs'] }));
      expect(second).toMatchObject({ outcome: 'unchanged', memory: { id: first.memory.id, tags: ['mine'] } });
    });

    it('lets any user reuse the key of an expired public memory', async () => {
      const [me, other] = [newUser(), newUser()];
      const key = { visibility: 'public', externalId: `duty-${people}` } as const;
      const old = await remember(
        engine(),
        me,
        fact('I am on duty', { ...key, expiresAt: new Date(Date.now() - 1000) }),
      );
      const next = await remember(engine(), other, fact('my turn now', key));
      expect(next).toMatchObject({ outcome: 'created', memory: { userId: other.userId } });
      expect(next.memory.id).not.toBe(old.memory.id);
    });

    it('stores private and public memories with the same text separately', async () => {
      const me = newUser();
      await remember(engine(), me, fact('twice told'));
      expect((await remember(engine(), me, fact('twice told', { visibility: 'public' }))).outcome).toBe('created');
    });

    it('creates one public memory when two users store the same text concurrently', async () => {
      const [me, other] = [newUser(), newUser()];
      const text = `raced ${people}`;
      const results = await Promise.all(
        [me, other, me, other].map((caller) => remember(engine(), caller, fact(text, { visibility: 'public' }))),
      );
      expect(new Set(results.map(({ memory }) => memory.id)).size).toBe(1);
    });
  });

  it('lists matching memories newest first, page by page', async () => {
    const me = newUser();
    await rememberMany(
      engine(),
      me,
      Array.from({ length: 25 }, (_, index) => ({
        content: `entry ${index}`,
        kind: customKind(index % 2 ? 'odd' : 'even'),
        tags: [`t${index % 5}`],
      })),
    );
    const first = await listMemories(engine(), me, { scope: own, limit: 10 });
    const second = await listMemories(engine(), me, { scope: own, limit: 10, cursor: first.nextCursor });
    const third = await listMemories(engine(), me, { scope: own, limit: 10, cursor: second.nextCursor });
    const seen = [first, second, third].flatMap(({ items }) => items.map(({ content }) => Number(content.slice(6))));
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 24 - index));
    expect(third.nextCursor).toBeUndefined();
    const filtered = await listMemories(engine(), me, {
      scope: own,
      limit: 100,
      filter: { kinds: ['odd'], tags: ['t1', 't3'] },
    });
    expect(filtered.items.map(({ content }) => content)).toEqual([
      'entry 23',
      'entry 21',
      'entry 13',
      'entry 11',
      'entry 3',
      'entry 1',
    ]);
    await expect(listMemories(engine(), me, { scope: own, limit: 5, cursor: 'WyJ4Il0' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('matches tags in any Unicode form', async () => {
    const me = newUser();
    await remember(engine(), me, fact('morning', { tags: ['cafe\u0301'] }));
    for (const tag of ['cafe\u0301', 'caf\u00e9']) {
      const filter = { tags: [tag] };
      expect((await listMemories(engine(), me, { scope: own, filter, limit: 5 })).items).toHaveLength(1);
      expect(await recall(engine(), me, { text: 'morning', scope: own, filter, limit: 5 })).toHaveLength(1);
      const either = { anyOf: [filter] };
      expect(await recall(engine(), me, { text: 'morning', scope: own, filter: either, limit: 5 })).toHaveLength(1);
    }
  });

  it.each<[string, MemoryFilter, number]>([
    ['a date that is none', { createdFrom: new Date(Number.NaN) }, 5],
    ['a date before all years', { createdTo: new Date(-8.64e15) }, 5],
    ['one like it among alternatives', { anyOf: [{ occurredFrom: new Date(Number.NaN) }] }, 5],
    ['a NUL', { source: '\u0000' }, 5],
    ['half a surrogate pair', { tags: ['\ud800'] }, 5],
    ['metadata without end', { metadata: endless() }, 5],
    ['a negative limit', {}, -1],
    ['half a limit', {}, 1.5],
    ['a limit that is no number', {}, Number.NaN],
  ])('rejects a search for %s', async (_name, filter, limit) => {
    const me = newUser();
    await remember(engine(), me, fact('text'));
    const refused = { code: 'INVALID_REQUEST' };
    await expect(recall(engine(), me, { text: 'text', scope: own, filter, limit })).rejects.toMatchObject(refused);
    await expect(listMemories(engine(), me, { scope: own, filter, limit })).rejects.toMatchObject(refused);
  });

  it('changes only the given fields', async () => {
    const me = newUser();
    const { memory } = await remember(engine(), me, fact('before', { metadata: { a: 1 }, tags: ['x'] }));
    const pinned = await updateMemory(engine(), me, memory.id, { isPinned: true });
    expect(pinned).toMatchObject({ content: 'before', isPinned: true, metadata: { a: 1 }, tags: ['x'] });
    const rewritten = await updateMemory(engine(), me, memory.id, {
      content: 'afterwards',
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(rewritten).toMatchObject({ content: 'afterwards', isPinned: true });
    expect(await recall(engine(), me, { text: 'before', scope: own, limit: 5 })).toEqual([]);
    expect(await recall(engine(), me, { text: 'afterwards', scope: own, limit: 5 })).toHaveLength(1);
    expect(await updateMemory(engine(), me, memory.id, { expiresAt: null })).toMatchObject({ expiresAt: null });
    expect(await updateMemory(engine(), newUser(), memory.id, { content: 'no' })).toBeUndefined();
  });

  it('removes a forgotten memory from the table and from search', async () => {
    const me = newUser();
    const { memory } = await remember(engine(), me, fact('a secret about zebras'));
    expect(await recall(engine(), me, { text: 'zebras', scope: own, limit: 5 })).toHaveLength(1);
    expect(await forgetMemories(engine(), newUser(), [memory.id])).toEqual([]);
    expect(await forgetMemories(engine(), me, [memory.id, 'unknown'])).toHaveLength(1);
    expect(await recall(engine(), me, { text: 'zebras', scope: own, limit: 5 })).toEqual([]);
    const { rows } = await running().database.pool.query('SELECT 1 FROM memhall.memories WHERE id = $1', [memory.id]);
    expect(rows).toEqual([]);
  });

  it('hides an expired memory, which a job then deletes', async () => {
    const me = newUser();
    const { memory } = await remember(engine(), me, fact('gone soon', { expiresAt: new Date(Date.now() + 1500) }));
    expect(await recall(engine(), me, { text: 'gone', scope: own, limit: 5 })).toHaveLength(1);
    await new Promise((done) => setTimeout(done, 1600));
    expect(await recall(engine(), me, { text: 'gone', scope: own, limit: 5 })).toEqual([]);
    expect(await getMemory(engine(), me, memory.id)).toBeUndefined();
    expect(await all(me)).toEqual([]);
    expect(await expireMemories(engine(), me.tenantId)).toBeGreaterThanOrEqual(1);
    const { rows } = await running().database.pool.query('SELECT 1 FROM memhall.memories WHERE id = $1', [memory.id]);
    expect(rows).toEqual([]);
  });

  it('drops removal notes once no reader needs them', async () => {
    const me = newUser();
    const { memory } = await remember(engine(), me, fact('short-lived'));
    await forgetMemories(engine(), me, [memory.id]);
    const notes = async () =>
      (
        await running().database.pool.query(`SELECT 1 FROM memhall.memory_removals WHERE partition = $1`, [
          `u:${me.userId}`,
        ])
      ).rows;
    await forgetRemovals(engine(), me.tenantId);
    expect(await notes()).toHaveLength(1);
    await running().database.pool.query(`UPDATE memhall.memory_removals SET removed_at = now() - interval '3 hours'`);
    await forgetRemovals(engine(), me.tenantId);
    expect(await notes()).toEqual([]);
  });

  it('stores a batch completely or not at all', async () => {
    const me = newUser();
    const batch: NewMemory[] = Array.from({ length: 500 }, (_, index) => ({
      content: `line ${index}`,
      kind: customKind('turn'),
    }));
    expect(await rememberMany(engine(), me, batch)).toHaveLength(500);
    await expect(rememberMany(engine(), me, [...batch, ...batch])).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(rememberMany(engine(), me, [fact('fine'), fact(' ')])).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(await recall(engine(), me, { text: 'fine', scope: own, limit: 5 })).toEqual([]);
  });

  it.each<[string, Partial<NewMemory>, RegExp]>([
    ['empty content', { content: '' }, /blank/],
    ['blank content', { content: ' \u2003\n\t' }, /blank/],
    ['huge content', { content: 'x'.repeat(200_001) }, /more than 200000 characters/],
    ['a NUL', { content: 'a\u0000b' }, /NUL/],
    ['half a surrogate pair', { content: 'a\ud800b' }, /surrogate/],
    ['10,000 tags', { tags: Array.from({ length: 10_000 }, (_, index) => `t${index}`) }, /more than 100/],
    ['a blank tag', { tags: [''] }, /1 to 128/],
    ['metadata with __proto__', { metadata: JSON.parse('{"a":{"__proto__":{"x":1}}}') }, /__proto__/],
    [
      'metadata with half a surrogate pair',
      { metadata: { a: ['\ud800'] } },
      /"metadata\/a\/0" contains a lone surrogate/,
    ],
    ['metadata with a NUL in a name', { metadata: { 'a\u0000': 1 } }, /NUL/],
    ['metadata that is a list', { metadata: [1] as never }, /must be an object/],
    ['metadata without end', { metadata: endless() }, /nested deeper than 64/],
    ['metadata that is not a number', { metadata: { a: Number.NaN } }, /too large/],
    ['propagation with a NUL', { propagation: { a: '\u0000' } }, /"propagation\/a" contains a NUL/],
    ['propagation without end', { propagation: endless() }, /nested deeper than 64/],
    ['content that is no text', { content: 42 as never }, /must be a string/],
    ['a date that is text', { occurredAt: '2024-01-01' as never }, /between the years 1 and 9999/],
    ['huge metadata', { metadata: { a: 'x'.repeat(70_000) } }, /65536/],
    ['a date out of range', { occurredAt: new Date(8.64e15) }, /between the years 1 and 9999/],
    ['an invalid date', { expiresAt: new Date(Number.NaN) }, /between the years 1 and 9999/],
    ['an id with spaces', { id: 'a b' }, /not a valid id/],
    ['an embedding where none are in use', { embedding: [1, 2, 3] }, /does not use embeddings/],
  ])('rejects %s', async (_name, input, message) => {
    const me = newUser();
    await expect(remember(engine(), me, fact('text', input))).rejects.toThrow(message);
    expect(await all(me)).toEqual([]);
  });

  it('stores unusual but valid text unchanged', async () => {
    const me = newUser();
    const content = 'tab\there, bell \u0007, \u202eright to left\u202c, 👩‍👩‍👧, \ufffd and\r\nlines';
    const { memory } = await remember(engine(), me, fact(content));
    expect((await getMemory(engine(), me, memory.id))?.content).toBe(content);
  });

  it('keeps the audit chains valid', async () => {
    expect((await verifyAudit(engine().store)).faults).toEqual([]);
  });
});
