import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportArchive } from '../src/composition/export-archive.js';
import { startEngine } from '../src/composition/start-engine.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import type { Engine } from '../src/engine/engine.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { checkReceipt } from '../src/engine/governance/check-receipt.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { putRetentionCeilings } from '../src/engine/governance/retention-ceilings.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { cleanUpUpload } from '../src/engine/resources/clean-up-upload.js';
import { databaseFiles } from '../src/engine/resources/database-files.js';
import { forgetResource } from '../src/engine/resources/forget-resource.js';
import { ingestResource } from '../src/engine/resources/ingest-resource.js';
import { listResources } from '../src/engine/resources/list-resources.js';
import { importFrom, useArchives } from './support/archives.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { collectAll } from './support/collect-all.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { type Fault, faultyArtifactStore } from './support/faulty-artifact-store.js';
import { openFile, outerOf, withBlobs } from './support/outer.js';

const silent = pino({ level: 'silent' });
const about = { title: 'Plans', description: null, appId: 'default', projectId: 'p' };

describe('resources with blobs as the source of truth', () => {
  let own: TestDatabase | undefined;
  beforeAll(async () => {
    own = await createTestDatabase('embedded');
  });
  afterAll(() => own?.remove());
  const database = () => own as TestDatabase;
  const azurite = useAzurite();
  const container = newContainer();
  const running = useEngine(database, () => azurite().settings(container));
  const engine = () => running().engine;
  const archives = useArchives();
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  let users = 0;
  const newCaller = () => callerOf(`user-${++users}`);
  const newMarker = () => `zq${randomBytes(8).toString('hex')}`;

  function upload(caller: Caller, content: string, on = engine()) {
    const path = join(directory, randomBytes(8).toString('hex'));
    writeFileSync(path, content);
    const contentHash = createHash('sha256').update(content).digest('hex');
    const file = { path, name: 'note.txt', sizeBytes: Buffer.byteLength(content), contentHash };
    return ingestResource(
      on,
      caller,
      { ...file, pieces: (highWaterMark) => createReadStream(path, { highWaterMark }) },
      about,
    );
  }

  async function rebuild(on = engine()): Promise<void> {
    await outerOf(on).copyAudit();
    await outerOf(on).rebuild();
  }

  async function blobsOf({ tenantId, userId }: Caller): Promise<string[]> {
    const service = BlobServiceClient.fromConnectionString(azurite().connectionString());
    const names: string[] = [];
    const prefix = `tenants/${tenantId}/users/${userId}/`;
    const options = { prefix, includeUncommitedBlobs: true };
    for await (const { name } of service.getContainerClient(container).listBlobsFlat(options)) {
      names.push(name.slice(prefix.length));
    }
    return names.filter((name) => /^(resources|files)\//.test(name));
  }

  const idsOf = async (caller: Caller, on = engine()) =>
    (await listResources(on, caller, { filter: {}, limit: 50, cursor: undefined })).items.map(
      ({ resourceId }) => resourceId,
    );

  const found = async (caller: Caller, query: string, on = engine()) => {
    const recalled = await recall(on, caller, { text: query, scope: { own: true }, limit: 5 });
    return recalled.map(({ memory }) => memory.content);
  };

  async function textOf(caller: Caller, resourceId: string, on = engine()): Promise<string | undefined> {
    const pieces = await openFile(on, caller, resourceId);
    return pieces && Buffer.concat(await collectAll(pieces)).toString();
  }

  /** Returns the engine of a process whose store fails at the given call. */
  function doomed(fault: Fault): Engine {
    return withBlobs(engine(), faultyArtifactStore(outerOf(engine()).blobs, fault));
  }

  it('stores the file and its record in blobs and not in the database', async () => {
    const me = newCaller();
    const { resourceId } = await upload(me, 'The walrus sleeps.');
    expect(await blobsOf(me)).toEqual([`files/${resourceId}`, `resources/${resourceId}.json`]);
    expect(await textOf(me, resourceId)).toBe('The walrus sleeps.');
    const { rows } = await running().database.pool.query('SELECT count(*)::int AS pieces FROM memhall.resource_pieces');
    expect(rows).toEqual([{ pieces: 0 }]);
    const waiting = await running().ledger.list({ state: 'waiting', limit: 10 });
    const payload = { tenantId: 't1', userId: me.userId, resourceId };
    expect(waiting).toMatchObject([{ job: 'settle-upload', payload }]);
    expect((await upload(me, 'The walrus sleeps.')).resourceId).toBe(resourceId);
    expect(await blobsOf(me)).toHaveLength(2);
  });

  it('restores resources and their texts into an empty database', async () => {
    const me = newCaller();
    const marker = newMarker();
    const kept = await upload(me, `# Travel\n\nThe walrus ${marker} sleeps.`);
    await expect(upload(me, `Unfinished ${marker}.`, doomed({ call: 2, moment: 'before' }))).rejects.toThrow();
    await outerOf(engine()).copyAudit();
    const empty = await createTestDatabase(database().kind);
    const fresh = await startEngine(empty.config(azurite().settings(container)), silent, { rebuilds: true });
    try {
      await rebuild(fresh.engine);
      const { items } = await listResources(fresh.engine, me, { filter: {}, limit: 50, cursor: undefined });
      expect(items).toEqual([kept]);
      expect(await found(me, marker, fresh.engine)).toEqual(await found(me, marker));
      expect(await textOf(me, kept.resourceId, fresh.engine)).toContain(marker);
      await rebuild(fresh.engine);
      expect(await found(me, marker, fresh.engine)).toHaveLength(1);
    } finally {
      await fresh.close();
      await empty.remove();
    }
  });

  it('leaves no blob after a deletion, even one that was interrupted and retried', async () => {
    for (const fault of [
      { call: 0, moment: 'before' as const },
      ...[0, 1].map((call) => ({ call, moment: 'after' as const })),
    ]) {
      const me = newCaller();
      const { resourceId } = await upload(me, 'The walrus sleeps.');
      await expect(forgetResource(doomed(fault), me, resourceId)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await idsOf(me)).toEqual([resourceId]);
      expect(await forgetResource(engine(), me, resourceId)).toBe(true);
      expect(await blobsOf(me)).toEqual([]);
      expect(await found(me, 'walrus')).toEqual([]);
    }
  });

  it('finishes an interrupted deletion during a rebuild', async () => {
    const me = newCaller();
    const { resourceId } = await upload(me, 'The walrus sleeps.');
    await expect(forgetResource(doomed({ call: 0, moment: 'after' }), me, resourceId)).rejects.toThrow();
    await rebuild();
    expect(await idsOf(me)).toEqual([]);
    expect(await found(me, 'walrus')).toEqual([]);
    expect(await blobsOf(me)).toEqual([]);
    expect((await verifyAudit(engine().store)).faults).toEqual([]);
  });

  it('deletes all files of a forgotten user, including staged ones', async () => {
    const me = newCaller();
    const marker = newMarker();
    await upload(me, `The walrus ${marker}.`);
    const store = outerOf(engine()).blobs;
    await store.stageFile(me, 'r_half', piecesOf(marker));
    expect(await blobsOf(me)).toContain('files/r_half');
    const receipt = await forgetUser(engine(), me);
    expect(receipt.counts).toMatchObject({ resources: 1 });
    await rebuild();
    expect(await blobsOf(me)).toEqual([]);
    expect(await idsOf(me)).toEqual([]);
    expect(await checkReceipt(engine(), me, receipt.id)).toMatchObject({ remaining: { blobs: 0 }, isVerified: true });
  });

  it('rejects an upload that began before its user was forgotten, and leaves no blob', async () => {
    const me = { ...newCaller(), since: performance.now() };
    await upload(me, 'The walrus sleeps.');
    await forgetUser(engine(), me);
    const store = faultyArtifactStore(outerOf(engine()).blobs);
    const watched = withBlobs(engine(), store);
    await expect(upload(me, 'The heron sleeps.', watched)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(store.calls).toEqual(['stage file', 'discard file']);
    expect(await blobsOf(me)).toEqual([]);
  });

  it('leaves no blob when retention deletes a resource', async () => {
    const me = callerOf('old', 't-old');
    await upload(me, 'The walrus sleeps.');
    await putRetentionCeilings(engine(), me, { snapshots: null, events: null, audit: null, resources: 30 });
    const asOf = new Date(Date.now() + 31 * 86_400_000);
    const report = await applyRetention(engine(), me, { profileId: 'project-copilot-v1', asOf });
    expect(report).toMatchObject({ resourcesDeleted: 1 });
    expect(await blobsOf(me)).toEqual([]);
    await rebuild();
    expect(await idsOf(me)).toEqual([]);
    expect(await found(me, 'walrus')).toEqual([]);
  });

  it('cleans up an unfinished upload in a job and allows the file to be uploaded again', async () => {
    const content = 'The walrus sleeps.';
    const faults = [
      { call: 0, moment: 'before' as const },
      ...[0, 1, 2].map((call) => ({ call, moment: 'after' as const })),
    ];
    for (const fault of faults) {
      const me = newCaller();
      const dying = doomed(fault);
      const noted: { resourceId: string }[] = [];
      const queue = { enqueue: async (_: string, payload: object) => noted.push(payload as never) > 0 };
      await expect(upload(me, content, { ...dying, queue })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await idsOf(me)).toEqual([]);
      const again = await upload(me, content);
      for (const { resourceId } of noted) {
        expect(await cleanUpUpload(engine(), { ...me, resourceId })).toBe(true);
      }
      expect(noted).toHaveLength(1);
      expect(await blobsOf(me)).toEqual([`files/${again.resourceId}`, `resources/${again.resourceId}.json`]);
      expect(await cleanUpUpload(engine(), { ...me, resourceId: again.resourceId })).toBe(false);
      expect(await textOf(me, again.resourceId)).toBe(content);
    }
  });

  it('reads files an earlier version stored in the database, and moves them to blobs in a rebuild', async () => {
    const me = newCaller();
    const { resourceId } = await upload(me, 'The walrus sleeps.', {
      ...engine(),
      store: outerOf(engine()).database,
      resourceFiles: databaseFiles,
    });
    expect(await blobsOf(me)).toEqual([]);
    expect(await textOf(me, resourceId)).toBe('The walrus sleeps.');
    await rebuild();
    expect(await blobsOf(me)).toEqual([`files/${resourceId}`, `resources/${resourceId}.json`]);
    expect(await textOf(me, resourceId)).toBe('The walrus sleeps.');
    const pieces = 'SELECT count(*)::int AS pieces FROM memhall.resource_pieces';
    expect((await running().database.pool.query(pieces)).rows).toEqual([{ pieces: 0 }]);
    expect(await found(me, 'walrus')).toHaveLength(1);
  });

  it('exports resources with their files and imports them into a database that stores files itself', async () => {
    const me = newCaller();
    const long = `%PDF-1.4\n${'x'.repeat(1_500_000)}`;
    const [short, large] = [await upload(me, 'A heron.'), await upload(me, long)];
    const output = archives.path('with-files');
    const config = database().config(azurite().settings(container));
    const wanted = { tenantId: 't1', userId: me.userId, output, onProgress: () => undefined };
    await exportArchive(config, silent, wanted);
    await expect(exportArchive(database().config(), silent, wanted)).rejects.toThrow(/MEMHALL_ARTIFACTS=azure-blob/);
    const target = await createTestDatabase(database().kind);
    try {
      await importFrom(target, output);
      const other = await startEngine(target.config(), silent);
      try {
        expect((await idsOf(me, other.engine)).sort()).toEqual([short.resourceId, large.resourceId].sort());
        expect(await textOf(me, short.resourceId, other.engine)).toBe('A heron.');
        expect((await textOf(me, large.resourceId, other.engine)) === long).toBe(true);
        expect(await found(me, 'heron', other.engine)).toEqual(['A heron.']);
      } finally {
        await other.close();
      }
      await importFrom(target, output);
    } finally {
      await target.remove();
    }
  });
});

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
