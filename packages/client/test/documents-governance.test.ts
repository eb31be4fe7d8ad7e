import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { DocumentsClient, type NewSnapshot, type ProfileSource } from '../src/documents.js';

const profile_id = 'project-copilot-v1';

describeOneDatabase('DocumentsClient around documents', (database) => {
  const server = useServer(database, { jobs: 'true' });
  let token: string;

  beforeAll(async () => {
    token = await server().token({ roles: ['admin'] });
  });

  const newClient = (userId = `u-${randomUUID()}`) =>
    new DocumentsClient({ baseUrl: server().url, token, tenantId: 't1', userId });

  const saying = (content: string): NewSnapshot => ({ profile_id, messages: [{ id: 'm1', role: 'user', content }] });

  async function say(memory: DocumentsClient, content: string) {
    const taken = await memory.conversations.snapshot('c1', saying(content));
    return memory.replays.finished(taken.replay_id ?? '', { everyMs: 50 });
  }

  /** Fills the document with entries that compaction does not remove for their size. */
  function fill(memory: DocumentsClient, value: string[]) {
    const operation = { op: 'add', path: '/content/preferences', value };
    const patch = { profile_id, binding_id: 'user_dynamic', reason: 'live_update' as const, ops: [operation] };
    return memory.documents.patch('user', 'user_dynamic.json', patch, { ifMatch: '*' });
  }

  it('stores conversations, waits for their replay and reads them again', async () => {
    const memory = newClient();
    const replay = await say(memory, 'My name is Dana.');
    expect(replay).toMatchObject({ status: 'completed', outcome: { patches_applied: 1 } });
    expect(await memory.replays.get(replay.replay_id)).toEqual(replay);
    const document = await memory.documents.get('user', 'user_dynamic.json');
    expect(document?.document.content).toMatchObject({ durable_facts: [{ text: 'My name is Dana' }] });
    const kept = await memory.conversations.snapshot('c1', { ...saying('Hello.'), replay: false });
    expect(kept.replay_id).toBeNull();
    const ids: string[] = [];
    for await (const { snapshot_id } of memory.conversations.eachSnapshot('c1', { limit: 1 })) ids.push(snapshot_id);
    expect(ids.sort()).toEqual([replay.snapshot_id, kept.snapshot_id].sort());
    expect((await memory.conversations.listSnapshots('c1')).snapshots).toHaveLength(2);
    const read = await memory.conversations.readSnapshot('c1', kept.snapshot_id);
    expect(read?.messages).toEqual([{ id: 'm1', role: 'user', content: 'Hello.' }]);
    expect(await memory.conversations.readSnapshot('c1', 'snp_none')).toBeNull();
  });

  it('says if a replay is missing, takes too long, or is no longer waited for', async () => {
    const memory = newClient();
    expect(await memory.replays.get('rpl_none')).toBeNull();
    await expect(memory.replays.finished('rpl_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const slow = new DocumentsClient({
      ...{ baseUrl: 'http://memhall.test', token, tenantId: 't1', userId: 'u1' },
      fetch: async () => Response.json({ replay_id: 'rpl_1', status: 'running' }),
    });
    const options = { withinMs: 30, everyMs: 10 };
    await expect(slow.replays.finished('rpl_1', options)).rejects.toMatchObject({ code: 'TIMEOUT' });
    const left = new Error('no longer interested');
    const leaving = new AbortController();
    const waiting = slow.replays.finished('rpl_1', { signal: leaving.signal });
    leaving.abort(left);
    await expect(waiting).rejects.toBe(left);
  });

  it('decides about unresolved patches of the user, and of all users of the tenant', async () => {
    const [ann, ben] = [newClient(), newClient()];
    for (const memory of [ann, ben]) {
      await fill(memory, ['x'.repeat(9000), 'y'.repeat(8700)]);
      await say(memory, 'My name is Dana.');
    }
    const { patches } = await ann.unresolved.list();
    expect(patches).toMatchObject([{ status: 'review', problem: { code: 'DOCUMENT_SIZE_EXCEEDED' } }]);
    const queued: string[] = [];
    for await (const { patch_id } of ann.reviewQueue.each({ status: 'review', limit: 1 })) queued.push(patch_id);
    expect(queued).toHaveLength(2);
    expect((await ann.reviewQueue.list({ status: 'waiting' })).patches).toEqual([]);
    const [first = '', second = ''] = queued;
    await expect(ann.unresolved.apply(first)).rejects.toMatchObject({ code: 'DOCUMENT_SIZE_EXCEEDED' });
    await fill(ann, []);
    const { document } = await ann.unresolved.apply(first);
    expect(document.content).toMatchObject({ durable_facts: [{ text: 'My name is Dana' }] });
    await fill(ben, []);
    expect((await ann.reviewQueue.apply(second)).document.content).toMatchObject({
      durable_facts: [{ text: 'My name is Dana' }],
    });
    for await (const patch of ben.unresolved.each()) expect(patch).toBeUndefined();
    await expect(ann.reviewQueue.discard(second)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ben.unresolved.discard(second)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('registers and reads schemas and profiles', async () => {
    const { schemas, profiles } = newClient();
    const schema = { type: 'object', properties: { entries: { type: 'array' } } };
    expect(await schemas.get('boat.log', '1')).toBeNull();
    const registered = await schemas.put('boat.log', '1', { schema });
    expect(await schemas.get('boat.log', '1')).toEqual(registered);
    await expect(schemas.put('boat.log', '1', { schema: {} })).rejects.toMatchObject({ code: 'SCHEMA_VERSION_EXISTS' });
    const names: string[] = [];
    for await (const { schema_id } of schemas.each({ limit: 1 })) names.push(schema_id);
    expect(names).toEqual((await schemas.list()).schemas.map(({ schema_id }) => schema_id));
    expect(names).toContain('boat.log');

    const binding = { binding_id: 'log', namespace: 'boats', path: 'log.json' };
    const source: ProfileSource = {
      document_bindings: [{ ...binding, schema_id: 'boat.log', schema_version: '1' }],
      retention_rules: { events_days: 30 },
    };
    expect(await profiles.get('boats')).toBeNull();
    const created = await profiles.put('boats', source, { create: true });
    expect(await profiles.get('boats')).toEqual(created);
    await expect(profiles.put('boats', source, { create: true })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    const changed = { ...created.profile, retention_rules: { events_days: 60 } };
    const replaced = await profiles.put('boats', changed, { ifMatch: created.etag });
    expect(replaced.etag).not.toBe(created.etag);
    expect((await profiles.list()).profiles).toContainEqual(replaced.profile);
  });

  it('forgets the user and checks the receipt', async () => {
    const memory = newClient();
    await memory.events.write({ digest: 'Moved to Lisbon.' });
    const { receipt, counts } = await memory.forget();
    expect(counts).toMatchObject({ events: 1 });
    expect(await memory.checkReceipt(receipt.id)).toMatchObject({ receipt, verified: true });
    expect((await memory.events.search({})).results).toEqual([]);
    expect(await memory.checkReceipt(randomUUID())).toBeNull();
  });
});
