import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { compactDocuments } from '../src/engine/compaction/compact-documents.js';
import { documentOfPiece } from '../src/engine/document-pieces/piece-memory.js';
import { catchUpDocuments, documentBacklog, followAgain } from '../src/engine/documents/catch-up-documents.js';
import { migrateDocuments } from '../src/engine/documents/migrate-documents.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import { replaceDocument } from '../src/engine/documents/replace-document.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import { indexDocumentsJob } from '../src/jobs/index-documents-job.js';
import { collectAll } from './support/collect-all.js';
import { countTrips } from './support/count-trips.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, patchOf } from './support/engine-documents.js';

const add = (path: string, value: Json): PatchOperation => ({ op: 'add', path: `/content${path}`, value });
const newCaller = (tenantId = 't1') => callerOf(`u-${randomUUID()}`, tenantId);

describeOneDatabase('recall of governed documents', (database) => {
  const running = useEngine(database);
  const patch = (caller: Caller, ...ops: PatchOperation[]) =>
    patchDocument(running().engine, caller, { ...patchOf(ops), evidence: { message_ids: ['m1'] } });

  /** Returns the pieces of a user's documents as they are stored, in the order of their arrival. */
  async function piecesOf({ tenantId, userId }: Caller) {
    const listed = await running().engine.store.read({ tenantId, userId }, (tables) =>
      tables.memories.list(
        [{ kind: 'user', userId }],
        { kinds: ['document'] },
        { before: undefined, limit: 10_000, now: new Date() },
      ),
    );
    return listed.map(({ memory, seq }) => ({ ...memory, seq })).reverse();
  }
  const textsOf = async (caller: Caller) => (await piecesOf(caller)).map(({ content }) => content);
  const recalled = async (caller: Caller, text: string, filter = {}) =>
    (await recall(running().engine, caller, { text, scope: { own: true }, filter, limit: 10 })).map(
      ({ memory }) => memory.content,
    );

  /** Makes the database forget what is derived from a user's documents, as if they were written before the upgrade. */
  async function asBefore({ tenantId, userId }: Caller): Promise<void> {
    const { pool } = running().database;
    await pool.query(`DELETE FROM memhall.memories WHERE tenant_id = $1 AND user_id = $2 AND kind = 'document'`, [
      tenantId,
      userId,
    ]);
    await pool.query('UPDATE memhall.artifacts SET followed_etag = NULL WHERE tenant_id = $1 AND user_id = $2', [
      tenantId,
      userId,
    ]);
  }

  describe('a change of a document', () => {
    it('makes each element and each string a memory that names its origin', async () => {
      const caller = newCaller();
      const fact = { text: 'Lives in Lisbon.', confidence: 0.9, last_verified_at: '2026-01-01T00:00:00.000Z' };
      const { document } = await patch(
        caller,
        add('/preferences/-', 'Short answers.'),
        add('/durable_facts/-', { ...fact, evidence: { message_ids: ['m1'] } }),
      );
      const [preference, durable, ...others] = await piecesOf(caller);
      expect(others).toEqual([]);
      expect(preference).toMatchObject({
        userId: caller.userId,
        partition: { kind: 'user', userId: caller.userId },
        content: 'Short answers.',
        cue: 'user dynamic preferences',
        sessionId: null,
        occurredAt: new Date(document.body.updated_at),
        author: caller.userId,
        trust: 'user',
        metadata: { section: 'preferences' },
      });
      expect(preference && documentOfPiece(preference)).toEqual({
        namespace: 'user',
        path: 'user_dynamic.json',
        pointer: '/content/preferences',
        version: 1,
      });
      expect(durable).toMatchObject({ content: 'Lives in Lisbon.', metadata: { section: 'durable_facts' } });
      expect(await recalled(caller, 'Where does she live? Lisbon?')).toEqual(['Lives in Lisbon.']);
      expect(await recalled(caller, 'what are her preferences')).toEqual(['Short answers.']);
    });

    it('touches only the pieces that it changes', async () => {
      const caller = newCaller();
      await patch(caller, add('/preferences', ['tea', 'rain', 'tea']));
      const before = await piecesOf(caller);
      expect(before.map(({ content }) => content)).toEqual(['tea', 'rain', 'tea']);
      await patch(caller, add('/preferences/0', 'snow'));
      const after = await piecesOf(caller);
      expect(after.slice(0, 3)).toEqual(before);
      expect(after.map(({ content }) => content)).toEqual(['tea', 'rain', 'tea', 'snow']);
      expect(after[3]?.metadata.version).toBe(2);
      await patch(
        caller,
        { op: 'remove', path: '/content/preferences/1' },
        { op: 'replace', path: '/content/preferences/1', value: 'fog' },
      );
      const left = await piecesOf(caller);
      expect(left.map(({ content }) => content)).toEqual(['tea', 'snow', 'fog']);
      expect(left[0]).toEqual(before[0]);
      expect(left[1]).toEqual(after[3]);
    });

    it('changes nothing if it is refused, repeated or without effect', async () => {
      const caller = newCaller();
      const idempotency = { key: randomUUID(), payloadHash: 'same' };
      const once = { ...patchOf([add('/preferences/-', 'tea')]), idempotency };
      await patchDocument(running().engine, caller, once);
      const before = await piecesOf(caller);
      expect((await patchDocument(running().engine, caller, once)).replayed).toBe(true);
      await patch(caller, { op: 'test', path: '/content/preferences/0', value: 'tea' });
      const stale = { kind: 'one-of', etags: ['x'] } as const;
      await expect(addPreference(running().engine, caller, 'fog', { precondition: stale })).rejects.toMatchObject({
        code: 'ETAG_MISMATCH',
      });
      await expect(patch(caller, add('/preferences/-', 7))).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' });
      expect(await piecesOf(caller)).toEqual(before);
      expect(before).toHaveLength(1);
    });

    it('is followed if it is a replacement or a compaction', async () => {
      const { engine } = running();
      const caller = newCaller();
      await patch(caller, add('/preferences', ['tea', 'Tea.', 'rain']));
      await compactDocuments(engine, 't1', { userId: caller.userId });
      expect((await textsOf(caller)).sort()).toEqual(['rain', 'tea']);
      const { ops: _, reason: __, ...write } = patchOf([]);
      const admin: Caller = { ...caller, actor: { ...caller.actor, roles: ['admin'] } };
      const content = {
        preferences: ['rain', 'cocoa'],
        durable_facts: [],
        pending_confirmations: [],
        projects_index: [],
      };
      await replaceDocument(engine, admin, { ...write, content });
      expect(await textsOf(caller)).toEqual(['rain', 'cocoa']);
    });

    it('stores no secret, though the document holds one', async () => {
      const caller = newCaller();
      await patch(caller, add('/preferences/-', 'Deploy with AKIAIOSFODNN7EXAMPLE please.'));
      expect(await textsOf(caller)).toEqual(['Deploy with [REDACTED:AWS_ACCESS_KEY_ID] please.']);
    });

    it('takes two round trips, like a change without recall', async () => {
      const caller = newCaller();
      await patch(caller, add('/preferences/-', 'tea'));
      const { engine } = running();
      expect(await countTrips(running().database, () => addPreference(engine, caller, 'rain'))).toBe(2);
      expect(await textsOf(caller)).toEqual(['tea', 'rain']);
      const alone = { ...engine, documentWatchers: [] };
      expect(await countTrips(running().database, () => addPreference(alone, caller, 'fog'))).toBe(2);
    });

    it('needs its pieces no longer when it is forgotten with its user', async () => {
      const caller = newCaller(`tenant-${randomUUID()}`);
      await patch(caller, add('/preferences', ['tea', 'rain']));
      const admin: Caller = { ...caller, actor: { ...caller.actor, roles: ['admin'] } };
      const { counts } = await forgetUser(running().engine, admin);
      expect(counts).toMatchObject({ documents: 1, memories: 2 });
      expect(await piecesOf(caller)).toEqual([]);
      expect(await recalled(caller, 'tea')).toEqual([]);
    });
  });

  it('loses the words of a forgotten person in documents of others', async () => {
    const { engine } = running();
    const caller = newCaller(`tenant-${randomUUID()}`);
    const bob = callerOf('bob', caller.tenantId);
    await patch(caller, add('/preferences/-', 'Tea in the morning, please.'));
    await patch({ ...caller, actor: bob.actor }, add('/preferences/-', 'Bob was here on a rainy day.'));
    expect(await textsOf(caller)).toHaveLength(2);
    await forgetUser(engine, { ...bob, actor: { ...bob.actor, roles: ['admin'] } });
    expect(await textsOf(caller)).toEqual(['Tea in the morning, please.']);
    await catchUpDocuments(engine, caller.tenantId);
    expect(await textsOf(caller)).toEqual(['Tea in the morning, please.']);
  });

  it('leaves texts of tiers to their own pieces, and searches of other kinds as they were', async () => {
    const { engine } = running();
    const caller = newCaller();
    await retainTier(engine, caller, { tier: 'AGENT', content: 'walrus of a tier', mode: 'replace' });
    await patch(caller, add('/preferences/-', 'walrus of a document'));
    expect(await textsOf(caller)).toEqual(['walrus of a document']);
    expect((await recalled(caller, 'walrus')).sort()).toEqual(['walrus of a document', 'walrus of a tier']);
    for (const kind of ['semantic', 'episodic', 'procedural', 'event']) {
      expect(await recalled(caller, 'walrus', { kinds: [kind] })).toEqual([]);
    }
    expect(await searchEvents(engine, caller, { query: 'walrus', limit: 10 })).toEqual([]);
  });

  describe('documents from before', () => {
    it('are indexed by a job, with the times at which their parts were written', async () => {
      const { engine, jobContext } = running();
      const caller = newCaller(`tenant-${randomUUID()}`);
      const { tenantId } = caller;
      await patch(caller, add('/preferences', ['tea', 'rain']));
      await patch(caller, { op: 'remove', path: '/content/preferences/0' });
      await patch(caller, add('/preferences/0', 'tea'));
      const before = await piecesOf(caller);
      expect(before.map(({ content, metadata }) => [content, metadata.version])).toEqual([
        ['rain', 1],
        ['tea', 3],
      ]);
      await asBefore(caller);
      expect([await documentBacklog(engine, tenantId), await recalled(caller, 'tea')]).toEqual([1, []]);
      const signal = new AbortController().signal;
      expect(await indexDocumentsJob.run(jobContext, { tenantId }, signal)).toEqual({ documents: 1 });
      const after = await piecesOf(caller);
      const comparable = (pieces: typeof before) =>
        pieces
          .map(({ seq: _, createdAt: __, updatedAt: ___, recordedAt: ____, ...rest }) => rest)
          .sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(comparable(after)).toEqual(comparable(before));
      expect(await indexDocumentsJob.run(jobContext, { tenantId }, signal)).toEqual({ documents: 0 });
      expect(await piecesOf(caller)).toEqual(after);
      expect(await followAgain(engine, tenantId)).toBe(1);
      expect(await piecesOf(caller)).toEqual(after);
      const enqueued = await indexDocumentsJob.run(jobContext, {}, signal);
      expect(enqueued).toMatchObject({ behind: 0 });
    });

    it('are done one by one, so that an interrupted job continues where it was', async () => {
      const { engine } = running();
      const tenantId = `tenant-${randomUUID()}`;
      const callers = [callerOf('a', tenantId), callerOf('b', tenantId), callerOf('c', tenantId)];
      for (const caller of callers) await patch(caller, add('/preferences/-', 'tea'));
      for (const caller of callers) await asBefore(caller);
      const stopping = new AbortController();
      const [watcher] = engine.documentWatchers;
      if (watcher === undefined) throw new Error('nobody watches documents');
      const stopped = catchUpDocuments(
        {
          ...engine,
          documentWatchers: [
            {
              ...watcher,
              async catchUp(...args) {
                if (args[1].userId === 'b') stopping.abort(new Error('stopped'));
                await watcher.catchUp(...args);
              },
            },
          ],
        },
        tenantId,
        stopping.signal,
      );
      await expect(stopped).rejects.toThrow('stopped');
      expect(await documentBacklog(engine, tenantId)).toBe(1);
      expect(await catchUpDocuments(engine, tenantId)).toBe(1);
      for (const caller of callers) expect(await textsOf(caller)).toEqual(['tea']);
    });

    it('stay with the job if they are changed before it comes to them', async () => {
      const { engine } = running();
      const caller = newCaller(`tenant-${randomUUID()}`);
      await patch(caller, add('/preferences/-', 'tea'));
      await asBefore(caller);
      await patch(caller, add('/preferences/-', 'rain'));
      expect(await piecesOf(caller)).toEqual([]);
      await catchUpDocuments(engine, caller.tenantId);
      expect((await piecesOf(caller)).map(({ content, metadata }) => [content, metadata.version])).toEqual([
        ['tea', 1],
        ['rain', 2],
      ]);
      await patch(caller, add('/preferences/-', 'fog'));
      expect(await textsOf(caller)).toEqual(['tea', 'rain', 'fog']);
    });
  });

  describe('profiles', () => {
    const profile = (deny: string[], more: object = {}): ProfileSource => ({
      document_bindings: [
        {
          ...{ binding_id: 'b', namespace: 'notes', path_template: '{name}.json', schema_id: 'any' },
          ...{ schema_version: '1', deny_paths: deny, write_mode: 'replace_allowed', ...more },
        },
      ],
      writable_path_rules: { b: [''] },
    });

    async function newTenant(source: ProfileSource) {
      const caller = newCaller(`tenant-${randomUUID()}`);
      const admin: Caller = { ...caller, actor: { ...caller.actor, roles: ['admin'] } };
      const { engine } = running();
      await registerSchema(engine, admin, { schemaId: 'any', version: '1', schema: {}, migration: null });
      const register = (next: ProfileSource) =>
        registerProfile(engine, admin, { profileId: 'p', source: next, precondition: { kind: 'none' } });
      await register(source);
      const put = (path: string, content: { [key: string]: Json }) =>
        replaceDocument(engine, admin, {
          ...{ namespace: 'notes', path, profileId: 'p', bindingId: 'b', content, evidence: null, confidence: null },
          ...{ precondition: { kind: 'none' }, idempotency: null },
        });
      return { caller, register, put };
    }

    it('keep denied paths out of recall, also when they are denied later', async () => {
      const { caller, register, put } = await newTenant(profile(['/internal']));
      await put('a.json', { internal: { plan: 'hidden' }, open: 'shown', draft: 'shown for now' });
      expect(await textsOf(caller)).toEqual(['shown', 'shown for now']);
      const [kept] = await piecesOf(caller);
      await register(profile(['/internal', '/draft']));
      expect(await catchUpDocuments(running().engine, caller.tenantId)).toBe(1);
      expect(await piecesOf(caller)).toEqual([kept]);
      await register(profile(['/draft', '/internal'], { max_chars: 5000 }));
      expect(await documentBacklog(running().engine, caller.tenantId)).toBe(0);
      await register(profile([]));
      await catchUpDocuments(running().engine, caller.tenantId);
      expect((await textsOf(caller)).sort()).toEqual(['hidden', 'shown', 'shown for now']);
    });

    it('move documents, whose older copies are not found as well', async () => {
      const { caller, register, put } = await newTenant(profile([]));
      await put('a.json', { plan: 'walrus' });
      await register(profile([], { namespace: 'ideas', legacy_paths: [{ namespace: 'notes', path: '{name}.json' }] }));
      const moved = await collectAll(migrateDocuments(running().engine, caller.tenantId, 'p', 'apply'));
      expect(moved).toMatchObject([{ outcome: 'copied' }]);
      const found = async () =>
        (await piecesOf(caller)).map((piece) => [piece.content, documentOfPiece(piece)?.namespace]);
      expect(await found()).toEqual([['walrus', 'ideas']]);
      await followAgain(running().engine, caller.tenantId);
      expect(await found()).toEqual([['walrus', 'ideas']]);
    });
  });
});
