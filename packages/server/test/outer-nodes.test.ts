import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import type { Engine } from '../src/engine/engine.js';
import { useAzurite } from './support/azurite.js';
import { flagsOf, runCommand, spawnServer } from './support/command.js';
import { connectDirectly, createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { addPreference, dynamicDocument, patchOf, preferencesOf } from './support/engine-documents.js';
import { faultyArtifactStore } from './support/faulty-artifact-store.js';
import { outerOf, withBlobs } from './support/outer.js';
import { send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;

describe.runIf(inject('postgresUrl') !== null)('several servers on one PostgreSQL and one container', () => {
  const azurite = useAzurite();
  let database: TestDatabase;
  let nodes: { engine: Engine; close(): Promise<void> }[] = [];
  let settings: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    settings = azurite().settings();
    const config = database.config(settings);
    nodes = await Promise.all([1, 2].map(() => startEngine(config, pino({ level: 'silent' }))));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.remove();
  });
  const [one, two] = [() => nodes[0]?.engine as Engine, () => nodes[1]?.engine as Engine];

  it('applies each of twenty concurrent writes to one document exactly once', async () => {
    const caller = callerOf('raced');
    const writers = Array.from({ length: 20 }, (_, n) => addWithRebase(n % 2 === 0 ? one() : two(), caller, `w${n}`));
    await Promise.all(writers);
    const found = await noted(one(), caller);
    expect(found.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `w${n}`).toSorted());
    expect(await noted(two(), caller)).toEqual(found);
    const { items } = await documentHistory(two(), caller, { ...project, limit: 100 });
    expect(items.map(({ document_version }) => document_version)).toEqual(found.map((_, n) => 20 - n));
    expect((await verifyAudit(one().store)).faults).toEqual([]);
  });

  it('completes a write that another server could not finish', async () => {
    const caller = callerOf('completed');
    await addPreference(one(), caller, 'first');
    const store = faultyArtifactStore(outerOf(one()).blobs, { call: 3, moment: 'after' });
    const dying = withBlobs(one(), store);
    const idempotency = { key: 'k', payloadHash: 'h' };
    await expect(addPreference(dying, caller, 'second', { idempotency })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect((await addPreference(two(), caller, 'second', { idempotency })).replayed).toBe(true);
    expect(await preferencesOf(one(), caller)).toEqual(['first', 'second']);
    await addPreference(one(), caller, 'third');
    expect(await preferencesOf(two(), caller)).toEqual(['first', 'second', 'third']);
  });

  it('stays consistent when a server that was presumed dead resumes its write', async () => {
    const caller = callerOf('slow');
    await addPreference(one(), caller, 'first');
    await outerOf(one()).copied();
    let entered: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const stuck = new Promise<void>((done) => {
      entered = done;
    });
    const released = new Promise<void>((done) => {
      goOn = done;
    });
    // The write is decided but hangs before it puts the document, and its transaction is lost in the meantime.
    const instead = async () => {
      entered();
      await released;
    };
    const store = faultyArtifactStore(outerOf(one()).blobs, { call: 3, moment: 'after', instead });
    const slow = addPreference(withBlobs(one(), store), caller, 'second');
    const outcome = slow.catch((error: { code: string }) => error.code);
    await stuck;
    await endTransactions(database);
    await addPreference(two(), caller, 'third');
    goOn();
    expect(await outcome).toBe('UNAVAILABLE');
    expect(await preferencesOf(two(), caller)).toEqual(['first', 'second', 'third']);
    const { items } = await documentHistory(two(), caller, { ...dynamicDocument, limit: 10 });
    expect(items.map(({ operation }) => operation)).toEqual(['test', 'test', 'test']);
  });
});

describe.runIf(inject('postgresUrl') !== null)('a server killed while writing documents', () => {
  const azurite = useAzurite();
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.remove();
  });

  it(
    `keeps every acknowledged write in the database and the blobs, ${rounds} times in a row`,
    async () => {
      const database = await createTestDatabase('postgres');
      databases.push(database);
      const given = azurite().settings();
      const environment = {
        MEMHALL_ARTIFACTS: 'azure-blob',
        MEMHALL_AZURE_STORAGE_CONNECTION_STRING: given.azureStorageConnectionString ?? '',
        MEMHALL_AZURE_CONTAINER: given.azureContainer ?? '',
        MEMHALL_EMBEDDER: 'none',
      };
      const flags = [...flagsOf(database), '--log-level', 'silent'];
      const token = await tokenFor(database);
      const path = '/v1/tenants/t1/users/u1/documents/projects/notes.json';
      const acknowledged: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const server = await spawnServer(flags, environment);
        let doomed = false;
        for (let n = 0; ; n++) {
          const note = `${round}-${n}`;
          const answer = await send(server.url, {
            method: 'PATCH',
            path,
            token,
            headers: { 'if-match': '*', 'idempotency-key': note },
            body: { ...writing, ops: [{ op: 'add', path: `/content/facets/${note}`, value: n }] },
          }).catch(() => undefined);
          if (answer?.status !== 200) break;
          acknowledged.push(note);
          if (!doomed) setTimeout(() => server.child.kill('SIGKILL'), Math.random() * 500);
          doomed = true;
        }
        await server.ended;
      }
      const rebuilt = await createTestDatabase('postgres');
      databases.push(rebuilt);
      const reindexed = await runCommand(['reindex', ...flagsOf(rebuilt), '--log-level', 'silent'], environment);
      expect(reindexed.stdout).toMatch(/^Reindex complete: .+ rebuilt=1\n$/);
      const found = [];
      for (const each of [database, rebuilt]) {
        const survivor = await spawnServer([...flagsOf(each), '--log-level', 'silent'], environment);
        const { body } = await send(survivor.url, { path, token: await tokenFor(each) });
        found.push(body.document);
        survivor.child.kill('SIGTERM');
        expect((await survivor.ended).code).toBe(0);
        expect((await runCommand(['audit', 'verify', ...flagsOf(each)])).stdout).toMatch(/faults=0\n/);
      }
      expect(found[1]).toEqual(found[0]);
      for (const note of acknowledged) expect(found[0].content.facets).toHaveProperty(note);
      expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);
    },
    60_000 + rounds * 20_000,
  );
});

const writing = { profile_id: 'project-copilot-v1', binding_id: 'project_doc', reason: 'live_update' };
const project = { namespace: 'projects', path: 'notes.json' };

async function noted(engine: Engine, caller: Caller): Promise<string[]> {
  return (await getDocument(engine, caller, project)).body.content.recent_notes as string[];
}

/** Acts like a client: reads, writes with the ETag it read, and starts over on a mismatch. */
async function addWithRebase(engine: Engine, caller: Caller, note: string): Promise<void> {
  for (;;) {
    const present = await getDocument(engine, caller, project).catch(() => undefined);
    const precondition = present ? ({ kind: 'one-of', etags: [present.etag] } as const) : ({ kind: 'absent' } as const);
    const ops = patchOf([{ op: 'add', path: '/content/recent_notes/-', value: note }]).ops;
    try {
      const idempotency = { key: note, payloadHash: note };
      await addPreference(engine, caller, '', { ...project, bindingId: 'project_doc', ops, precondition, idempotency });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ETAG_MISMATCH') throw error;
    }
  }
}

async function tokenFor(database: TestDatabase): Promise<string> {
  const whose = ['--tenant', 't1', '--user', 'u1', '--ttl', '1h'];
  return (await runCommand(['token', ...whose, ...flagsOf(database).slice(0, 2)])).stdout.trim();
}

async function endTransactions(database: TestDatabase): Promise<void> {
  const admin = connectDirectly(database);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'memhall' AND datname = current_database() AND state = 'idle in transaction'`,
  );
  await admin.end();
}
