import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { compactDocuments } from '../src/engine/compaction/compact-documents.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import { rebuildDocument } from '../src/engine/documents/rebuild-document.js';
import { replaceDocument } from '../src/engine/documents/replace-document.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import type { Embedder } from '../src/ports/embedder.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const dynamic = { namespace: 'user', path: 'user_dynamic.json', bindingId: 'user_dynamic' };
const project = { namespace: 'projects', path: 'alpha.json', bindingId: 'project_doc' };

function fact(text: string, confidence: number, extra: Record<string, string> = {}) {
  return {
    text,
    confidence,
    evidence: { message_ids: ['m1'] },
    last_verified_at: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
}

describeOneDatabase('compaction', (database) => {
  const running = useEngine(database);

  /** Creates a user whose document has the given members, and returns the user id. */
  async function userWith(
    place: typeof dynamic,
    members: Record<string, unknown>,
    user = `u-${randomUUID()}`,
  ): Promise<string> {
    const ops = Object.entries(members).map(
      ([name, value]) => ({ op: 'add', path: `/content/${name}`, value }) as PatchOperation,
    );
    await patchDocument(running().engine, callerOf(user), {
      ...place,
      profileId: 'project-copilot-v1',
      reason: 'live_update',
      evidence: { message_ids: ['m1'] },
      confidence: null,
      precondition: { kind: 'none' },
      idempotency: null,
      ops,
    });
    return user;
  }

  const compact = (userId: string) => compactDocuments(running().engine, 't1', { userId });
  const contentOf = async (user: string, place = dynamic) =>
    (await getDocument(running().engine, callerOf(user), place)).body.content;

  it('leaves a document within its limits unchanged', async () => {
    const user = await userWith(dynamic, {
      preferences: ['tea', 'rain'],
      durable_facts: [fact('Lives in Lisbon.', 0.9)],
    });
    const before = await getDocument(running().engine, callerOf(user), dynamic);
    expect(await compact(user)).toEqual({ documents: 1, compacted: 0, moved: 0, skipped: 0 });
    expect((await getDocument(running().engine, callerOf(user), dynamic)).etag).toBe(before.etag);
  });

  it('merges entries that say the same and keeps the one with the highest confidence', async () => {
    const user = await userWith(dynamic, {
      preferences: ['Short answers.', 'tea', 'short  answers'],
      durable_facts: [fact('Lives in Lisbon', 0.82), fact('Has a dog.', 0.9), fact('lives in Lisbon!', 0.95)],
    });
    expect(await compact(user)).toMatchObject({ compacted: 1, moved: 0 });
    const { preferences, durable_facts } = await contentOf(user);
    expect(preferences).toEqual(['Short answers.', 'tea']);
    expect(durable_facts).toEqual([fact('lives in Lisbon!', 0.95), fact('Has a dog.', 0.9)]);
  });

  it('moves expired facts to the pending confirmations', async () => {
    const past = { expires_at: '2026-01-02T00:00:00.000Z' };
    const future = { expires_at: '2999-01-02T00:00:00.000Z' };
    const user = await userWith(dynamic, {
      durable_facts: [fact('Is in Rome this week.', 0.9, past), fact('Has a visa.', 0.9, future)],
    });
    await compact(user);
    const { durable_facts, pending_confirmations } = await contentOf(user);
    expect(durable_facts).toEqual([fact('Has a visa.', 0.9, future)]);
    expect(pending_confirmations).toEqual([fact('Is in Rome this week.', 0.9, past)]);
  });

  it('adds the list of pending confirmations if the document has none', async () => {
    const user = `u-${randomUUID()}`;
    const past = { expires_at: '2026-01-02T00:00:00.000Z' };
    const admin = { ...callerOf(user), actor: { userId: 'root', serviceId: null, roles: ['admin' as const] } };
    await replaceDocument(running().engine, admin, {
      ...dynamic,
      profileId: 'project-copilot-v1',
      evidence: null,
      confidence: null,
      precondition: { kind: 'none' },
      idempotency: null,
      content: { durable_facts: [fact('Is in Rome this week.', 0.9, past)] },
    });
    expect(await compact(user)).toMatchObject({ compacted: 1, skipped: 0 });
    expect(await contentOf(user)).toEqual({
      durable_facts: [],
      pending_confirmations: [fact('Is in Rome this week.', 0.9, past)],
    });
  });

  it('shrinks a document to four fifths of its limit, removing the least certain facts first', async () => {
    const facts = Array.from({ length: 40 }, (_, index) =>
      fact(`Fact ${index}: ${'x'.repeat(300)}`, index < 10 ? 0.81 : 0.9),
    );
    const pending = [fact(`Perhaps ${'y'.repeat(300)}`, 0.5)];
    const user = await userWith(dynamic, { durable_facts: facts, pending_confirmations: pending });
    const size = async () => JSON.stringify(await contentOf(user)).length;
    expect(await size()).toBeGreaterThan(0.8 * 18_000);
    expect(await compact(user)).toMatchObject({ compacted: 1 });
    expect(await size()).toBeLessThanOrEqual(0.8 * 18_000);
    const { durable_facts: left, pending_confirmations: asked } = await contentOf(user);
    expect(asked).toEqual([]);
    const gone = facts.length - (left as Json[]).length;
    expect(gone).toBeGreaterThan(0);
    expect(gone).toBeLessThan(10);
    expect(left).toEqual(facts.slice(gone));
    const found = await searchEvents(running().engine, callerOf(user), { limit: 50 });
    expect(found).toHaveLength(gone + 1);
    expect(await compact(user)).toMatchObject({ compacted: 0 });
  });

  it('removes nothing from a document that is large for another reason', async () => {
    const user = await userWith(project, { summary: 's'.repeat(30_000), recent_notes: ['One note.'] });
    expect(await compact(user)).toMatchObject({ documents: 1, compacted: 0 });
  });

  it('stores no event for an entry that stays in the document because of a concurrent change', async () => {
    const notes = Array.from({ length: 30 }, (_, index) => `Note ${index}.`);
    const user = await userWith(project, { recent_notes: notes });
    const { engine } = running();
    let isChanged = false;
    const embedder: Embedder = {
      ...{ model: 'slow', dimension: 4, local: true, isReady: true, distinguishesPurpose: false },
      async embed(texts) {
        if (!isChanged) await userWith(project, { summary: 'Changed meanwhile.' }, user);
        isChanged = true;
        return texts.map(() => new Float32Array([1, 0, 0, 0]));
      },
      describe: () => ({ kind: 'test', model: 'slow', dimension: 4, runtime: 'test', status: 'ready' }),
      close: async () => undefined,
    };
    expect(await compactDocuments({ ...engine, embedder }, 't1', { userId: user })).toMatchObject({
      skipped: 1,
      moved: 0,
    });
    expect(await searchEvents(engine, callerOf(user), { limit: 50 })).toEqual([]);
  });

  it('moves the oldest notes of a nearly full list to events, down to four fifths of the limit', async () => {
    const notes = Array.from({ length: 30 }, (_, index) => `Note number ${index} about the harbour.`);
    const user = await userWith(project, { recent_notes: notes });
    expect(await compact(user)).toMatchObject({ documents: 1, compacted: 1, moved: 6 });
    expect((await contentOf(user, project)).recent_notes).toEqual(notes.slice(6));
    const found = await searchEvents(running().engine, callerOf(user), { projectId: 'alpha', limit: 50 });
    expect(found.map(({ event }) => event.digest).sort()).toEqual(notes.slice(0, 6).sort());
    expect(found[0]?.event).toMatchObject({ source_type: 'compaction', evidence: { document: 'projects/alpha.json' } });
  });

  it('keeps the facts with the highest confidence, and the later ones among equals', async () => {
    const facts = Array.from({ length: 70 }, (_, index) => fact(`Fact ${index}.`, index < 10 ? 0.81 : 0.9));
    const user = await userWith(dynamic, { durable_facts: facts });
    await compact(user);
    expect((await contentOf(user)).durable_facts).toEqual([facts[4], facts[5], ...facts.slice(6)].slice(-64));
  });

  it('writes one audited version that can be rebuilt, and does nothing the second time', async () => {
    const user = await userWith(project, { recent_notes: Array.from({ length: 30 }, (_, index) => `Note ${index}.`) });
    await compact(user);
    const { items } = await documentHistory(running().engine, callerOf(user), { ...project, limit: 10 });
    expect(items.map(({ reason, updated_by }) => [reason, updated_by])).toEqual([
      ['compaction', 'memhall'],
      ['live_update', user],
    ]);
    expect(await compact(user)).toMatchObject({ compacted: 0 });
    const rebuilt = await rebuildDocument(running().engine.store, { tenantId: 't1', userId: user }, project);
    expect(rebuilt.fault).toBeUndefined();
  });

  it('runs safely on several nodes at once', async () => {
    const user = await userWith(project, { recent_notes: Array.from({ length: 30 }, (_, index) => `Note ${index}.`) });
    const reports = await Promise.all([compact(user), compact(user), compact(user)]);
    expect(reports.reduce((sum, { compacted }) => sum + compacted, 0)).toBe(1);
    expect((await contentOf(user, project)).recent_notes).toHaveLength(24);
  });

  describe('with a custom profile', () => {
    it('takes the section names from the profile', async () => {
      const { engine } = running();
      const admin = { ...callerOf('root'), actor: { userId: 'root', serviceId: null, roles: ['admin' as const] } };
      const { registerSchema } = await import('../src/engine/documents/register-schema.js');
      const { registerProfile } = await import('../src/engine/documents/register-profile.js');
      await registerSchema(engine, admin, {
        schemaId: 'boat.log',
        version: '1',
        schema: { type: 'object' },
        migration: null,
      });
      const binding = {
        binding_id: 'log',
        namespace: 'boats',
        path: 'log.json',
        schema_id: 'boat.log',
        schema_version: '1',
      };
      await registerProfile(engine, admin, {
        profileId: 'boats',
        precondition: { kind: 'none' },
        source: {
          document_bindings: [{ ...binding, initial: { entries: [] } }],
          writable_path_rules: { log: ['/entries'] },
          compaction_rules: { log: { max_entries: 10 } },
        },
      });
      const user = `u-${randomUUID()}`;
      await patchDocument(engine, callerOf(user), {
        namespace: 'boats',
        path: 'log.json',
        profileId: 'boats',
        bindingId: 'log',
        reason: 'live_update',
        evidence: null,
        confidence: null,
        precondition: { kind: 'none' },
        idempotency: null,
        ops: [{ op: 'add', path: '/content/entries', value: Array.from({ length: 9 }, (_, index) => `Day ${index}`) }],
      });
      await compactDocuments(engine, 't1', { userId: user, profileId: 'boats' });
      const { body } = await getDocument(engine, callerOf(user), { namespace: 'boats', path: 'log.json' });
      expect(body.content.entries).toEqual(Array.from({ length: 8 }, (_, index) => `Day ${index + 1}`));
    });
  });
});
