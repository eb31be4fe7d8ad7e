import { beforeAll, describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { type DocumentPatch, DocumentsClient, PatchConflictError, patchWithRebase } from '../src/documents.js';

const place = ['user', 'user_dynamic.json'] as const;

function patchOf(...ops: { op: string; path: string; value?: unknown; from?: string }[]): DocumentPatch {
  return { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update', ops };
}

function append(preference: string): DocumentPatch {
  return patchOf({ op: 'add', path: '/content/preferences/-', value: preference });
}

describeOneDatabase('DocumentsClient', (database) => {
  const server = useServer(database);
  let number = 0;
  let token: string;

  beforeAll(async () => {
    token = await server().token({ roles: ['admin'] });
  });

  function newClient(): DocumentsClient {
    number += 1;
    return new DocumentsClient({ baseUrl: server().url, token, tenantId: 't1', userId: `reader-${number}` });
  }

  it('reads, patches, replaces and lists documents, and returns their history', async () => {
    const { documents } = newClient();
    expect(await documents.get(...place)).toBeNull();
    const created = await documents.patch(...place, append('tea'), { create: true });
    expect(created).toMatchObject({ idempotency_replay: false, document: { content: { preferences: ['tea'] } } });
    expect(await documents.get(...place)).toMatchObject({ etag: created.etag, document: created.document });
    const { ops: _, ...common } = append('');
    const replacement = { ...common, document: { content: { preferences: ['coffee'] } } };
    const replaced = await documents.replace(...place, replacement, { ifMatch: created.etag });
    const { versions } = await documents.history(...place);
    expect(versions.map(({ version, etag }) => [version, etag])).toEqual([
      [2, replaced.etag],
      [1, created.etag],
    ]);
    const then = await documents.get(...place, { at: created.document.updated_at });
    expect(then?.etag).toBe(created.etag);
    const listed = await documents.list({ namespace: 'user' });
    expect(listed.documents).toMatchObject([{ path: 'user_dynamic.json', etag: replaced.etag, version: 2 }]);
  });

  it('retries a request safely with the same key', async () => {
    const { documents } = newClient();
    const options = { ifMatch: '*', idempotencyKey: 'once' };
    const first = await documents.patch(...place, append('tea'), options);
    const again = await documents.patch(...place, append('tea'), options);
    expect(again).toEqual({ ...first, idempotency_replay: true });
    await expect(documents.patch(...place, append('coffee'), options)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  it('assembles context, writes and finds events, and reads the audit log', async () => {
    const memory = newClient();
    await memory.documents.patch(...place, append('tea'), { create: true });
    const context = await memory.assembleContext({ profile_id: 'project-copilot-v1', max_docs: 1 });
    expect(context.documents.map(({ binding_id }) => binding_id)).toEqual(['user_dynamic']);
    const { event_id } = await memory.events.write({ digest: 'Moved to Lisbon.' });
    const { results } = await memory.events.search({ query: 'Lisbon' });
    expect(results).toMatchObject([{ event_id, digest: 'Moved to Lisbon.' }]);
    const { records } = await memory.audit();
    expect(records.map(({ target }) => target)).toEqual([`events/${event_id}`, 'documents/user/user_dynamic.json']);
  });

  describe('patchWithRebase', () => {
    it('keeps concurrent changes and follows elements to their current index', async () => {
      const { documents } = newClient();
      await documents.patch(...place, append('tea'), { create: true });
      const base = await documents.patch(...place, append('rain'), { ifMatch: '*' });
      await documents.patch(...place, patchOf({ op: 'remove', path: '/content/preferences/0' }), { ifMatch: '*' });
      const patch = patchOf({ op: 'replace', path: '/content/preferences/1', value: 'snow' });
      const written = await patchWithRebase(documents, { namespace: 'user', path: 'user_dynamic.json', base, patch });
      expect(written.document.content).toMatchObject({ preferences: ['snow'] });
    });

    it('throws on a conflicting change and writes nothing', async () => {
      const { documents } = newClient();
      const base = await documents.patch(...place, append('tea'), { create: true });
      const replace = (value: string) => patchOf({ op: 'replace', path: '/content/preferences/0', value });
      const other = await documents.patch(...place, replace('coffee'), { ifMatch: base.etag });
      const mine = { namespace: 'user', path: 'user_dynamic.json', base, patch: replace('water') };
      const refusal = await patchWithRebase(documents, mine).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(PatchConflictError);
      expect((refusal as PatchConflictError).latest?.etag).toBe(other.etag);
      expect((await documents.get(...place))?.etag).toBe(other.etag);
    });

    it('creates a document, or appends to one that was created concurrently', async () => {
      const { documents } = newClient();
      const input = { namespace: 'user', path: 'user_dynamic.json', base: null };
      await patchWithRebase(documents, { ...input, patch: append('tea') });
      const second = await patchWithRebase(documents, { ...input, patch: append('rain') });
      expect(second.document.content).toMatchObject({ preferences: ['tea', 'rain'] });
      const whole = patchOf({ op: 'add', path: '/content/preferences', value: [] });
      await expect(patchWithRebase(documents, { ...input, patch: whole })).rejects.toThrow(
        'created by someone else first',
      );
    });

    it('loses and duplicates nothing with ten concurrent writers', async () => {
      const { documents } = newClient();
      const base = await documents.patch(...place, patchOf(), { create: true });
      const wanted = Array.from({ length: 10 }, (_, index) => `preference ${index}`);
      const input = { namespace: 'user', path: 'user_dynamic.json', base, rebases: 20 };
      await Promise.all(wanted.map((text) => patchWithRebase(documents, { ...input, patch: append(text) })));
      const content = (await documents.get(...place))?.document.content as { preferences: string[] } | undefined;
      expect(content?.preferences.toSorted()).toEqual(wanted);
    });
  });
});
