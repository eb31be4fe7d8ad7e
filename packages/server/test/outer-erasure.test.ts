import { BlobServiceClient } from '@azure/storage-blob';
import { expect, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import type { Caller } from '../src/engine/caller.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { checkReceipt } from '../src/engine/governance/check-receipt.js';
import { eraseTenant } from '../src/engine/governance/erase-tenant.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, preferencesOf } from './support/engine-documents.js';
import { outerOf } from './support/outer.js';

describeEachDatabase('erasure with blobs as the source of truth', (database) => {
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
