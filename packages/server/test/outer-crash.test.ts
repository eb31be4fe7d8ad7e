import { BlobServiceClient } from '@azure/storage-blob';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import { readSnapshot } from '../src/engine/conversations/read-snapshot.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { connectDirectly, createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, blobNameOf, dynamicDocument, piecesOf, preferencesOf } from './support/engine-documents.js';
import { type Fault, faultyArtifactStore } from './support/faulty-artifact-store.js';
import { outerOf, withBlobs } from './support/outer.js';

const key = (name: string) => ({ key: name, payloadHash: `hash of ${name}` });

describeOneDatabase('an interrupted document write', (database) => {
  const { azurite, container, running, faulty, prepare, expectSound } = useFaultyEngines(database);

  it('makes few calls to the outer store', async () => {
    const caller = await prepare('calls');
    const { engine, store } = faulty();
    for (const text of ['second', 'third']) {
      await addPreference(engine, caller, text);
      await outerOf(engine).copied();
    }
    expect(store.calls).toEqual([
      ...['get journal', 'get document', 'put audit', 'put journal', 'put document', 'put audit'],
      ...['get document', 'put journal', 'put document', 'put audit'],
    ]);
  });

  describe.each(['before', 'after'] as const)('failing %s a call takes effect', (moment) => {
    it.each([0, 1, 2, 3, 4, 5])('applies the write once when call %i fails and the write is retried', async (call) => {
      const caller = await prepare(`broken-${moment}-${call}`);
      const { engine, store } = faulty({ call, moment });
      const attempt = addPreference(engine, caller, 'second', { idempotency: key('k') });
      const outcome = await attempt.then(
        () => 'answered',
        (error) => error.code,
      );
      await outerOf(engine).copied();
      // The last call copies audit records after the write has returned.
      expect([outcome, store.calls.length]).toEqual([call === 5 ? 'answered' : 'UNAVAILABLE', expect.any(Number)]);
      const isDecided = call > 3 || (call === 3 && moment === 'after');
      const again = await addPreference(running().engine, caller, 'second', { idempotency: key('k') });
      expect(again.replayed).toBe(isDecided);
      await expectSound(caller, ['first', 'second']);
      await addPreference(running().engine, caller, 'third');
      await expectSound(caller, ['first', 'second', 'third']);
    });

    it.each([3, 4])('shows the next reader the whole write or none of it when call %i fails', async (call) => {
      const caller = await prepare(`read-${moment}-${call}`);
      const { engine } = faulty({ call, moment });
      await addPreference(engine, caller, 'second').catch(() => undefined);
      const seen = await preferencesOf(running().engine, caller);
      expect([['first'], ['first', 'second']]).toContainEqual(seen);
      const { document } = await addPreference(running().engine, caller, 'third');
      const isDecided = call > 3 || moment === 'after';
      await expectSound(caller, isDecided ? ['first', 'second', 'third'] : ['first', 'third']);
      expect(document.version).toBe(isDecided ? 3 : 2);
    });

    it('keeps the audit chain in order when other writes come before it is completed', async () => {
      const caller = await prepare(`between-${moment}`);
      const { engine } = faulty({ call: 4, moment });
      await addPreference(engine, caller, 'second').catch(() => undefined);
      for (const name of ['a', 'b']) {
        await putWorkingValue(running().engine, caller, workingValue(name));
      }
      await addPreference(running().engine, caller, 'third');
      await expectSound(caller, ['first', 'second', 'third']);
    });
  });

  it('makes an event searchable once its write is completed', async () => {
    const caller = await prepare('event');
    const { engine } = faulty({ call: 2, moment: 'after' });
    const event = {
      event_id: 'evt_1',
      service_id: null,
      timestamp: new Date().toISOString(),
      source_type: null,
      digest: 'The kettle broke.',
      keywords: [],
      project_ids: [],
    };
    await expect(writeEvent(engine, caller, event)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const search = () => searchEvents(running().engine, caller, { query: 'kettle', limit: 5 });
    expect(await search()).toEqual([]);
    await addPreference(running().engine, caller, 'second');
    expect((await search()).map((found) => found.event)).toMatchObject([event]);
    await writeEvent(running().engine, caller, event);
    expect((await search()).map((found) => found.event)).toMatchObject([event]);
  });

  it('queues a replay once the snapshot write is completed', async () => {
    const caller = await prepare('conversation');
    const { engine } = faulty({ call: 2, moment: 'after' });
    const messages = [{ id: 'm1', role: 'user' as const, content: 'Remember that I like tea.' }];
    const input = { conversationId: 'c1', profileId: 'project-copilot-v1', messages, replay: true };
    await expect(takeSnapshot(engine, caller, input)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await addPreference(running().engine, caller, 'second');
    const { rows } = await running().database.pool.query('SELECT * FROM memhall.replays WHERE user_id = $1', [
      caller.userId,
    ]);
    expect(rows).toMatchObject([{ conversation_id: 'c1' }]);
    const place = { conversationId: 'c1', snapshotId: rows[0].snapshot_id };
    const { json } = await readSnapshot(running().engine, caller, place);
    expect(JSON.parse(json.toString('utf8')).messages).toEqual(messages);
  });

  it('yields to a concurrent manual edit of the blob', async () => {
    const caller = await prepare('raced');
    const blob = BlobServiceClient.fromConnectionString(azurite().connectionString())
      .getContainerClient(container)
      .getBlockBlobClient(blobNameOf(caller));
    const edit = async () => {
      const body = JSON.parse((await blob.downloadToBuffer()).toString());
      body.content.preferences = ['edited'];
      await blob.upload(JSON.stringify(body), JSON.stringify(body).length);
    };
    // After the journal is put and before the document is put.
    const { engine } = faulty({ call: 3, moment: 'after', instead: edit });
    await addPreference(engine, caller, 'second');
    expect(await preferencesOf(running().engine, caller)).toEqual(['edited']);
    const { items } = await documentHistory(running().engine, caller, { ...dynamicDocument, limit: 10 });
    expect(items.map(({ operation }) => operation)).toEqual(['documents.adopt', 'test', 'test']);
  });
});

function workingValue(name: string) {
  return { planId: 'p', key: name, value: name, ttlSeconds: undefined, precondition: { kind: 'none' as const } };
}

// The embedded database runs in this process and cannot go away.
describe.runIf(inject('postgresUrl') !== null)('a document write whose commit fails', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.remove());
  const { running, faulty, prepare, expectSound } = useFaultyEngines(() => database);

  it('applies the write once when it is retried', async () => {
    const caller = await prepare('no-commit');
    const admin = connectDirectly(database);
    const cut = async () => {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'memhall' AND datname = current_database()`,
      );
    };
    const { engine } = faulty({ call: 4, moment: 'after', instead: cut });
    const attempt = addPreference(engine, caller, 'second', { idempotency: key('k') });
    await expect(attempt).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await admin.end();
    await dropCutConnections(running().database.pool);
    const again = await addPreference(running().engine, caller, 'second', { idempotency: key('k') });
    expect(again.replayed).toBe(true);
    await expectSound(caller, ['first', 'second']);
  });
});

/** Uses every connection of a pool at once: those that were cut fail and leave the pool. */
async function dropCutConnections(pool: Pool): Promise<void> {
  await Promise.allSettled(Array.from({ length: pool.totalCount }, () => pool.query('SELECT 1')));
}

function useFaultyEngines(database: () => TestDatabase) {
  const azurite = useAzurite();
  const container = newContainer();
  const running = useEngine(database, () => azurite().settings(container));

  /** Returns the same engine over a store with the given fault. */
  function faulty(fault?: Fault) {
    const { engine } = running();
    const store = faultyArtifactStore(outerOf(engine).blobs, fault);
    return { engine: withBlobs(engine, store), store };
  }

  async function prepare(userId: string): Promise<Caller> {
    const caller = callerOf(userId);
    await addPreference(running().engine, caller, 'first');
    await outerOf(running().engine).copied();
    return caller;
  }

  async function expectSound(caller: Caller, preferences: string[]): Promise<void> {
    const { engine } = running();
    const document = await getDocument(engine, caller, dynamicDocument);
    expect(document.body.content.preferences).toEqual(preferences);
    expect(document.version).toBe(preferences.length);
    expect(await piecesOf(engine, caller)).toEqual(preferences);
    const blob = BlobServiceClient.fromConnectionString(azurite().connectionString())
      .getContainerClient(container)
      .getBlobClient(blobNameOf(caller));
    expect(JSON.parse((await blob.downloadToBuffer()).toString())).toEqual(document.body);
    const { items } = await documentHistory(engine, caller, { ...dynamicDocument, limit: 100 });
    expect(items.map(({ document_version }) => document_version)).toEqual(
      preferences.map((_, n, all) => all.length - n),
    );
    expect(items.every(({ operation }) => operation === 'test')).toBe(true);
    expect((await verifyAudit(engine.store, { tenantId: caller.tenantId })).faults).toEqual([]);
  }

  return { azurite, container, running, faulty, prepare, expectSound };
}
