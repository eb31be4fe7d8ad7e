import { BlobServiceClient } from '@azure/storage-blob';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { reindex } from '../src/composition/reindex.js';
import { startEngine } from '../src/composition/start-engine.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import { rebuildDocument } from '../src/engine/documents/rebuild-document.js';
import type { Engine } from '../src/engine/engine.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { checkReceipt } from '../src/engine/governance/check-receipt.js';
import { eraseTenant } from '../src/engine/governance/erase-tenant.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { inWorkspace } from '../src/engine/tier-path.js';
import { readTier } from '../src/engine/tiers/read-tier.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { createTestDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, preferencesOf } from './support/engine-documents.js';
import { faultyArtifactStore } from './support/faulty-artifact-store.js';
import { findText } from './support/find-text.js';
import { outerOf, withBlobs } from './support/outer.js';

describeOneDatabase('erasure with blobs as the source of truth', (database) => {
  const azurite = useAzurite();
  const container = newContainer();
  const running = useEngine(database, () => azurite().settings(container));

  /** Returns the names of all blobs that contain the word. */
  async function blobsWith(word: string): Promise<string[]> {
    const service = BlobServiceClient.fromConnectionString(azurite().connectionString());
    const client = service.getContainerClient(container);
    const found: string[] = [];
    for await (const { name } of client.listBlobsFlat()) {
      if ((await client.getBlobClient(name).downloadToBuffer()).toString().includes(word)) found.push(name);
    }
    return found;
  }

  const tell = (caller: Caller, digest: string, timestamp = new Date().toISOString()) =>
    writeEvent(running().engine, caller, {
      timestamp,
      digest,
      service_id: null,
      source_type: null,
      keywords: [],
      project_ids: [],
    });

  async function rebuild(): Promise<void> {
    const { engine } = running();
    await outerOf(engine).copyAudit();
    await outerOf(engine).rebuild();
  }

  it('leaves no blob of a forgotten user, even after a rebuild', async () => {
    const { engine } = running();
    const [me, other] = [callerOf('me'), callerOf('other')];
    await addPreference(engine, me, 'zqheron tea');
    await addPreference(engine, me, 'zqheron milk');
    await tell(me, 'zqheron was seen');
    await addPreference(engine, other, 'zqstork tea');
    expect((await blobsWith('zqheron')).length).toBeGreaterThan(2);
    const receipt = await forgetUser(engine, me);
    expect(receipt.counts.blobs).toBeGreaterThan(3);
    await rebuild();
    expect(await blobsWith('zqheron')).toEqual([]);
    await expect(preferencesOf(engine, me)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect(await preferencesOf(engine, other)).toEqual(['zqstork tea']);
    expect(await checkReceipt(engine, me, receipt.id)).toMatchObject({ remaining: { blobs: 0 }, isVerified: true });
    await addPreference(engine, me, 'water');
    await rebuild();
    expect(await preferencesOf(engine, me)).toEqual(['water']);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('leaves no blob with notes of others about a forgotten user, even after a rebuild', async () => {
    const { engine } = running();
    const workspace = inWorkspace(callerOf('u1'), 'harbour');
    const note = (key: string, content: string) =>
      retainTier(engine, workspace, { tier: 'peers', key, content, mode: 'append', agentId: 'a1' });
    for (const text of ['tea', 'milk', 'sugar']) await note('lena', `zqgull likes ${text}`);
    await note('omar', 'zqtern sails');
    await outerOf(engine).copyAudit();
    expect((await blobsWith('zqgull')).length).toBeGreaterThan(1);
    const receipt = await forgetUser(engine, callerOf('lena'));
    expect(receipt.counts).toMatchObject({ notes_elsewhere: 1, versions_elsewhere: 3 });
    expect(await blobsWith('zqgull')).toEqual([]);
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
    await rebuild();
    expect(await blobsWith('zqgull')).toEqual([]);
    expect(await checkReceipt(engine, workspace, receipt.id)).toMatchObject({ isVerified: true });
    const read = async (from: Engine, key: string) =>
      (await readTier(from, workspace, { tier: 'peers', key, agentId: 'a1' })).text;
    expect([await read(engine, 'lena'), await read(engine, 'omar')]).toEqual(['', 'zqtern sails']);
    await note('lena', 'Came back.');
    await outerOf(engine).copied();
    const fresh = await createTestDatabase(database().kind);
    const config = fresh.config(azurite().settings(container));
    const silent = pino({ level: 'silent' });
    await reindex(config, silent);
    const { engine: other, close } = await startEngine(config, silent);
    try {
      expect([await read(other, 'lena'), await read(other, 'omar')]).toEqual(['Came back.', 'zqtern sails']);
      expect((await verifyAudit(other.store)).faults).toEqual([]);
    } finally {
      await close();
      await fresh.remove();
    }
  });

  it('removes a note about a forgotten user that only the journal of a killed node had', async () => {
    const { engine } = running();
    const workspace = inWorkspace(callerOf('u1'), 'quay');
    const note = (from: Engine, key: string, content: string) =>
      retainTier(from, workspace, { tier: 'peers', key, content, mode: 'append', agentId: 'a1' });
    await note(engine, 'other', 'First.');
    const tried = faultyArtifactStore(outerOf(engine).blobs);
    const trial = withBlobs(engine, tried);
    await note(trial, 'other', 'Second.');
    await outerOf(trial).copied();
    const fault = { call: tried.calls.indexOf('put journal'), moment: 'after' } as const;
    const killed = withBlobs(engine, faultyArtifactStore(outerOf(engine).blobs, fault));
    await expect(note(killed, 'rosa', 'zqrosa sings')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const receipt = await forgetUser(engine, callerOf('rosa'));
    expect(receipt.counts).toMatchObject({ notes_elsewhere: 0 });
    expect(await blobsWith('zqrosa')).toHaveLength(1);
    await note(engine, 'other', 'Third.');
    const { text } = await readTier(engine, workspace, { tier: 'peers', key: 'rosa', agentId: 'a1' });
    expect(text).toBe('');
    await rebuild();
    expect(await blobsWith('zqrosa')).toEqual([]);
    expect(await checkReceipt(engine, workspace, receipt.id)).toMatchObject({ isVerified: true });
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  /** Writes to notes of the workspace `harbour` in the name of a person. */
  const noteBy = (engine: Engine, userId: string, content: string) => {
    const workspace = inWorkspace(callerOf(userId), 'harbour');
    return retainTier(engine, workspace, { tier: 'AGENT', content, mode: 'append', agentId: 'a9' });
  };
  const notesOf = async (engine: Engine) =>
    (await readTier(engine, inWorkspace(callerOf('quinn'), 'harbour'), { tier: 'AGENT', agentId: 'a9' })).text;

  it('leaves no blob with words of a forgotten user in notes of others, even after a rebuild', async () => {
    const { engine } = running();
    await noteBy(engine, 'quinn', 'zqswan stays');
    for (const text of ['tea', 'milk']) await noteBy(engine, 'pat', `zqplover likes ${text}`);
    await noteBy(engine, 'quinn', 'zqswan stays too');
    await outerOf(engine).copyAudit();
    expect((await blobsWith('zqplover')).length).toBeGreaterThan(1);
    const receipt = await forgetUser(engine, callerOf('pat'));
    expect(receipt.counts).toMatchObject({ texts_elsewhere: 1 });
    expect(await blobsWith('zqplover')).toEqual([]);
    await rebuild();
    expect(await blobsWith('zqplover')).toEqual([]);
    expect(await checkReceipt(engine, callerOf('pat'), receipt.id)).toMatchObject({ isVerified: true });
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
    expect(await notesOf(engine)).toBe('zqswan stays\nzqswan stays too');
    const fresh = await createTestDatabase(database().kind);
    const config = fresh.config(azurite().settings(container));
    const silent = pino({ level: 'silent' });
    await reindex(config, silent);
    const { engine: other, close } = await startEngine(config, silent);
    try {
      expect(await notesOf(other)).toBe('zqswan stays\nzqswan stays too');
      const place = { namespace: 'provider', path: 'agent:a9/AGENT.md' };
      const scope = { tenantId: 't1', userId: 'workspace/harbour' };
      expect(await rebuildDocument(other.store, scope, place)).toMatchObject({ fault: undefined });
      expect(await findText(fresh, 'zqplover')).toEqual([]);
    } finally {
      await close();
      await fresh.remove();
    }
  });

  it('removes words of a forgotten user that only the journal of a killed node had', async () => {
    const { engine } = running();
    await noteBy(engine, 'quinn', 'zqheath stays');
    const tried = faultyArtifactStore(outerOf(engine).blobs);
    const trial = withBlobs(engine, tried);
    await noteBy(trial, 'ruth', 'zqcurlew first');
    await outerOf(trial).copied();
    const fault = { call: tried.calls.indexOf('put journal'), moment: 'after' } as const;
    const killed = faultyArtifactStore(outerOf(engine).blobs, fault);
    await expect(noteBy(withBlobs(engine, killed), 'ruth', 'zqcurlew last')).rejects.toThrow();
    const { id } = await forgetUser(engine, callerOf('ruth'));
    expect(await notesOf(engine)).not.toContain('zqcurlew');
    await outerOf(engine).copyAudit();
    expect(await blobsWith('zqcurlew')).toEqual([]);
    expect(await findText(database(), 'zqcurlew')).toEqual([]);
    expect(await checkReceipt(engine, callerOf('ruth'), id)).toMatchObject({ isVerified: true });
  });

  it('removes words that only the journal had of a user who wrote nothing else there', async () => {
    const { engine } = running();
    await noteBy(engine, 'quinn', 'zqfen is here');
    const tried = faultyArtifactStore(outerOf(engine).blobs);
    const trial = withBlobs(engine, tried);
    await noteBy(trial, 'quinn', 'zqfen stays');
    await outerOf(trial).copied();
    const fault = { call: tried.calls.indexOf('put journal'), moment: 'after' } as const;
    const killed = withBlobs(engine, faultyArtifactStore(outerOf(engine).blobs, fault));
    await expect(noteBy(killed, 'sol', 'zqdunlin was here')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const { id, counts } = await forgetUser(engine, callerOf('sol'));
    expect(counts).toMatchObject({ texts_elsewhere: 0 });
    expect(await blobsWith('zqdunlin')).toHaveLength(1);
    await noteBy(engine, 'quinn', 'zqfen stays too');
    expect(await notesOf(engine)).toMatch(/zqfen stays\nzqfen stays too$/);
    await rebuild();
    expect(await blobsWith('zqdunlin')).toEqual([]);
    expect(await findText(database(), 'zqdunlin')).toEqual([]);
    expect(await checkReceipt(engine, callerOf('sol'), id)).toMatchObject({ isVerified: true });
    expect((await verifyAudit(engine.store)).faults).toEqual([]);
  });

  it('leaves no blob with content of an erased tenant', async () => {
    const { engine } = running();
    const users = ['u1', 'u2'].map((user) => callerOf(user, 'acme'));
    for (const user of users) await addPreference(engine, user, 'zqcrane tea');
    await eraseTenant(engine, callerOf('', 'acme'));
    await rebuild();
    expect(await blobsWith('zqcrane')).toEqual([]);
    expect((await verifyAudit(engine.store, { tenantId: 'acme' })).faults).toEqual([]);
  });

  it('deletes blobs of old events and keeps the audit records that documents are built from', async () => {
    const { engine } = running();
    const me = callerOf('aging');
    await tell(me, 'zqgoose was seen', '2020-01-01T00:00:00.000Z');
    await tell(me, 'zqduck was seen');
    const asOf = new Date(Date.now() + 400 * 24 * 3600 * 1000);
    const before = { profileId: 'project-copilot-v1' };
    expect(await applyRetention(engine, me, before)).toMatchObject({ eventsDeleted: 1, auditDeleted: 0 });
    await rebuild();
    expect(await blobsWith('zqgoose')).toEqual([]);
    const report = await applyRetention(engine, me, { ...before, asOf });
    expect(report).toMatchObject({ eventsDeleted: 1, auditDeleted: 0, cutoffs: { audit: null } });
  });
});
