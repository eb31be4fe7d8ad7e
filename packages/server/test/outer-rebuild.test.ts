import { BlobServiceClient } from '@azure/storage-blob';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { reindex } from '../src/composition/reindex.js';
import { startEngine } from '../src/composition/start-engine.js';
import { mutate } from '../src/engine/audit/mutate.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import type { Engine } from '../src/engine/engine.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import type { Database } from '../src/store/database.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { collectAll } from './support/collect-all.js';
import { createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { addPreference, blobNameOf, dynamicDocument, patchOf, preferencesOf } from './support/engine-documents.js';
import { faultyArtifactStore } from './support/faulty-artifact-store.js';
import { outerOf, withBlobs } from './support/outer.js';

const silent = pino({ level: 'silent' });
const idempotency = { key: 'once', payloadHash: 'hash' };

// Each test starts several databases and engines.
vi.setConfig({ testTimeout: 120_000 });

describeOneDatabase('rebuilding a database from blobs', (sample) => {
  const azurite = useAzurite();
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function newDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase(sample().kind);
    closers.push(() => database.remove());
    return database;
  }

  async function start(database: TestDatabase, settings: Record<string, string>) {
    const running = await startEngine(database.config(settings), silent);
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= running.close();
      return closed;
    };
    closers.push(close);
    return { ...running, close };
  }

  const blobsOf = (container: string) =>
    BlobServiceClient.fromConnectionString(azurite().connectionString()).getContainerClient(container);

  it('restores into an empty database everything it held before', async () => {
    const container = newContainer();
    const settings = azurite().settings(container);
    const before = await start(await newDatabase(), settings);
    await fill(before.engine, container);
    await outerOf(before.engine).copied();
    const held = await dump(before.database);
    const searches = [await findEvents(before.engine, 'evt_1 tea'), await findEvents(before.engine)];
    expect(searches.map((found) => found.length)).toEqual([1, 1]);
    await before.close();

    const database = await newDatabase();
    await expect(startEngine(database.config(settings), silent)).rejects.toThrow(/Run `memhall reindex` first/);
    expect(await reindex(database.config(settings), silent)).toMatchObject({ rebuiltUsers: 5 });
    const after = await start(database, settings);
    expect(await dump(after.database)).toEqual(held);
    expect([await findEvents(after.engine, 'evt_1 tea'), await findEvents(after.engine)]).toEqual(searches);
    expect((await verifyAudit(after.engine.store)).faults).toEqual([]);

    const versions = callerOf('versions');
    const third = await documentHistory(after.engine, versions, { ...dynamicDocument, limit: 1, cursor: undefined });
    expect(third.items[0]?.document_version).toBe(40);
    const again = await addPreference(after.engine, callerOf('once'), 'only once', { idempotency });
    expect(again.replayed).toBe(true);
    await addPreference(after.engine, callerOf('once'), 'more');
    expect(await preferencesOf(after.engine, callerOf('once'))).toEqual(['only once', 'more']);
    expect((await verifyAudit(after.engine.store)).faults).toEqual([]);
  });

  async function fill(engine: Engine, container: string): Promise<void> {
    const admin = { ...callerOf('admin'), operation: 'registry.put' };
    const schema = { type: 'object' };
    await registerSchema(engine, admin, { schemaId: 'free', version: '1', schema, migration: null });
    const source = { document_bindings: [freeBinding] };
    await registerProfile(engine, admin, { profileId: 'own', source, precondition: { kind: 'none' } });

    for (let n = 1; n <= 40; n++) {
      await replacePreference(engine, 'versions', n);
      if (n % 20 === 0) await putWorkingValue(engine, callerOf('versions'), workingValue(`v${n}`));
    }
    await addPreference(engine, callerOf('once'), 'only once', { idempotency });
    for (const name of ['edited', 'removed']) await addPreference(engine, callerOf(name), 'tea');
    const body = { content: { preferences: ['by hand'] } };
    const text = JSON.stringify(body);
    await blobsOf(container)
      .getBlockBlobClient(blobNameOf(callerOf('edited')))
      .upload(text, text.length);
    await preferencesOf(engine, callerOf('edited'));
    await blobsOf(container).deleteBlob(blobNameOf(callerOf('removed')));
    await getDocument(engine, callerOf('removed'), dynamicDocument).catch(() => undefined);
    for (const name of ['evt_1', 'evt_2', 'evt_1']) await putEvent(engine, 'events', name);
    await removeEvent(engine, 'events', 'evt_2');
  }

  it('completes a change that was decided when the database was lost', async () => {
    const settings = azurite().settings();
    const lost = await start(await newDatabase(), settings);
    const caller = callerOf('u1');
    await addPreference(lost.engine, caller, 'first');
    await outerOf(lost.engine).copied();
    const store = faultyArtifactStore(outerOf(lost.engine).blobs, { call: 3, moment: 'after' });
    const dying = withBlobs(lost.engine, store);
    await expect(addPreference(dying, caller, 'second', { idempotency })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await lost.close();

    const database = await newDatabase();
    await reindex(database.config(settings), silent);
    const { engine } = await start(database, settings);
    expect(await preferencesOf(engine, caller)).toEqual(['first', 'second']);
    expect((await addPreference(engine, caller, 'second', { idempotency })).replayed).toBe(true);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('runs while other writers are active', async () => {
    const settings = azurite().settings();
    const { engine } = await start(await newDatabase(), settings);
    const users = ['a', 'b', 'c'];
    let writing = true;
    const written = Promise.all(
      users.map(async (userId) => {
        const caller = callerOf(userId);
        let count = 0;
        while (writing || count < 2) {
          await replacePreference(engine, userId, ++count);
          await putEvent(engine, userId, `evt_${count}`);
          await putWorkingValue(engine, caller, workingValue('k'));
        }
        return count;
      }),
    );
    await outerOf(engine).rebuild();
    writing = false;
    const counts = await written;
    await outerOf(engine).rebuild();
    for (const [index, userId] of users.entries()) {
      expect(await preferencesOf(engine, callerOf(userId))).toEqual([`p${counts[index]}`]);
      const { items } = await documentHistory(engine, callerOf(userId), { ...dynamicDocument, limit: 1000 });
      expect(items.every(({ operation }) => operation === 'test')).toBe(true);
      expect(items).toHaveLength(counts[index] ?? 0);
    }
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('copies existing database content to the blobs', async () => {
    const database = await newDatabase();
    const settings = azurite().settings();
    const inside = await start(database, {});
    for (let n = 1; n <= 3; n++) await replacePreference(inside.engine, 'u1', n);
    await putEvent(inside.engine, 'u1', 'evt_1');
    await inside.close();

    const outside = await start(database, settings);
    expect(await preferencesOf(outside.engine, callerOf('u1'))).toEqual(['p3']);
    await replacePreference(outside.engine, 'u1', 4);
    await outerOf(outside.engine).rebuild();
    const held = await dump(outside.database);
    await outside.close();

    const other = await newDatabase();
    await reindex(other.config(settings), silent);
    const rebuilt = await start(other, settings);
    expect(await dump(rebuilt.database)).toEqual(held);
  });

  it('finds edited, new and deleted blobs that nobody has read yet', async () => {
    const container = newContainer();
    const { engine } = await start(await newDatabase(), azurite().settings(container));
    for (const userId of ['edited', 'removed']) await addPreference(engine, callerOf(userId), 'tea');
    await putEvent(engine, 'removed', 'evt_1');
    const text = JSON.stringify({ content: { preferences: ['by hand'] } });
    for (const userId of ['edited', 'new']) {
      await blobsOf(container)
        .getBlockBlobClient(blobNameOf(callerOf(userId)))
        .upload(text, text.length);
    }
    await blobsOf(container).deleteBlob(blobNameOf(callerOf('removed')));
    await blobsOf(container).deleteBlob('tenants/t1/users/removed/events/evt_1.json');
    await outerOf(engine).rebuild();
    const list = (userId: string) =>
      engine.store.read({ tenantId: 't1', userId }, async (tables) => [
        ...(await tables.artifacts.list('document', { limit: 10 })),
        ...(await tables.artifacts.list('event', { limit: 10 })),
      ]);
    expect((await list('edited')).map(({ version }) => version)).toEqual([2]);
    expect((await list('new')).map(({ version }) => version)).toEqual([1]);
    expect(await list('removed')).toEqual([]);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('refuses to run when database and blobs disagree, and changes neither', async () => {
    const settings = azurite().settings();
    const one = await start(await newDatabase(), settings);
    await addPreference(one.engine, callerOf('u1'), 'one');
    await one.close();
    const database = await newDatabase();
    const other = await start(database, {});
    await addPreference(other.engine, callerOf('u1'), 'other');
    const held = await dump(other.database);
    await other.close();

    await expect(reindex(database.config(settings), silent)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The audit records of tenant t1, user u1 differ .+ starting with number 1\./),
    });
    const unharmed = await start(database, {});
    expect(await dump(unharmed.database)).toEqual(held);
    const third = await newDatabase();
    await reindex(third.config(settings), silent);
    expect(await preferencesOf((await start(third, settings)).engine, callerOf('u1'))).toEqual(['one']);
  });

  it('rejects any container other than the one the database started with', async () => {
    const database = await newDatabase();
    const container = newContainer();
    await (await start(database, azurite().settings(container))).close();
    await expect(startEngine(database.config(azurite().settings()), silent)).rejects.toThrow(/a container other than/);
    await expect(startEngine(database.config(), silent)).rejects.toThrow(/MEMHALL_ARTIFACTS=azure-blob/);
    await (await start(database, azurite().settings(container))).close();
  });

  it('compares a user again after the database lost its mark', async () => {
    const { engine, database } = await start(await newDatabase(), azurite().settings());
    const caller = callerOf('u1');
    for (const text of ['a', 'b']) await addPreference(engine, caller, text);
    await database.pool.query(`DELETE FROM memhall.outer_heads WHERE user_id = 'u1'`);
    await addPreference(engine, caller, 'c');
    expect(await preferencesOf(engine, caller)).toEqual(['a', 'b', 'c']);
    const { items } = await documentHistory(engine, caller, { ...dynamicDocument, limit: 10 });
    expect(items.map(({ operation }) => operation)).toEqual(['test', 'test', 'test']);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('copies every audit record to a blob, for any kind of change', async () => {
    const { engine, close } = await start(await newDatabase(), azurite().settings());
    const caller = callerOf('u1');
    await putWorkingValue(engine, caller, workingValue('a'));
    await addPreference(engine, caller, 'x');
    await putWorkingValue(engine, caller, workingValue('b'));
    const store = outerOf(engine).blobs;
    const records = await engine.store.read({ tenantId: 't1', userId: 'u1' }, (tables) =>
      tables.audit.records('u1', { after: 0n, limit: 10 }),
    );
    await close();
    const copied = new Map<number, string>();
    for (const { name } of await collectAll(store.list(caller, 'audit'))) {
      const text = (await store.get(caller, { kind: 'audit', folder: '', name }))?.text ?? '';
      const { first_seq, records: own } = JSON.parse(text);
      for (const [index, record] of own.entries()) copied.set(first_seq + index, JSON.stringify(record));
    }
    expect([...copied]).toEqual(records.map(({ seq, record }) => [Number(seq), record]));
  });
});

const freeBinding = {
  binding_id: 'free',
  namespace: 'free',
  path: 'free.json',
  schema_id: 'free',
  schema_version: '1',
  max_chars: 1000,
  read_priority: 1,
  write_mode: 'restricted_patch' as const,
};

function replacePreference(engine: Engine, userId: string, n: number) {
  return addPreference(engine, callerOf(userId), '', {
    ops: patchOf([{ op: 'add', path: '/content/preferences', value: [`p${n}`] }]).ops,
  });
}

function workingValue(name: string) {
  return { planId: 'p', key: name, value: name, ttlSeconds: undefined, precondition: { kind: 'none' as const } };
}

async function putEvent(engine: Engine, userId: string, name: string): Promise<void> {
  await writeEvent(engine, callerOf(userId), {
    event_id: name,
    service_id: null,
    timestamp: new Date().toISOString(),
    source_type: 'chat',
    digest: `Something about ${name} happened.`,
    keywords: ['tea'],
    project_ids: [],
  });
}

function findEvents(engine: Engine, query?: string) {
  return searchEvents(engine, callerOf('events'), { query, limit: 10 });
}

async function removeEvent(engine: Engine, userId: string, name: string): Promise<void> {
  await mutate(engine, callerOf(userId), async (tables) => {
    tables.artifacts.delete({ kind: 'event', folder: '', name });
    const mutation = { target: `events/${name}`, preEtag: null, postEtag: null, contentHash: null };
    return { result: undefined, mutations: [mutation] };
  });
}

/** Returns everything that is derived, except for tags and progress marks. */
async function dump(database: Database): Promise<Record<string, unknown[]>> {
  const tables: Record<string, string> = {
    artifacts:
      'tenant_id, user_id, kind, folder, name, version, etag, body::text, size_chars, occurred_at, created_at, updated_at',
    audit_records: 'tenant_id, user_id, seq, record, hash',
    audit_heads: 'tenant_id, user_id, seq, hash',
    document_checkpoints: 'tenant_id, user_id, folder, name, version, etag, body::jsonb, at',
    idempotency_keys: 'tenant_id, user_id, key, payload_hash, result::text',
    schemas: 'tenant_id, schema_id, version, schema::text, migration::text, hash, created_at',
    profiles: 'tenant_id, profile_id, profile::text, etag, created_at, updated_at',
  };
  const held: Record<string, unknown[]> = {};
  for (const [name, columns] of Object.entries(tables)) {
    const order = columns.split(', ').slice(0, 5).join(', ');
    held[name] = (await database.pool.query(`SELECT ${columns} FROM memhall.${name} ORDER BY ${order}`)).rows;
  }
  const pieces = `SELECT tenant_id, user_id, id, content, cue, external_id, occurred_at, metadata FROM memhall.memories
    WHERE kind = 'document' ORDER BY tenant_id, user_id, id`;
  held.pieces = (await database.pool.query(pieces)).rows;
  expect(held.pieces).not.toEqual([]);
  return held;
}
