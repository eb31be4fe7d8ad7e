import { BlobServiceClient } from '@azure/storage-blob';
import { expect, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { listDocuments } from '../src/engine/documents/list-documents.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, blobNameOf, dynamicDocument, piecesOf, preferencesOf } from './support/engine-documents.js';

describeOneDatabase('documents whose source of truth is a blob store', (database) => {
  const azurite = useAzurite();
  const container = newContainer();
  const running = useEngine(database, () => azurite().settings(container));
  const blobs = () =>
    BlobServiceClient.fromConnectionString(azurite().connectionString()).getContainerClient(container);

  async function readBlob(name: string) {
    return JSON.parse((await blobs().getBlobClient(name).downloadToBuffer()).toString());
  }
  async function writeBlob(name: string, text: string, metadata = {}) {
    await blobs().getBlockBlobClient(name).upload(text, Buffer.byteLength(text), { metadata });
  }

  it('writes the blob before the call returns', async () => {
    const { engine } = running();
    const caller = callerOf('writer');
    const { document } = await addPreference(engine, caller, 'tea');
    expect(await readBlob(blobNameOf(caller))).toEqual(document.body);
    const next = await addPreference(engine, caller, 'no milk', {
      precondition: { kind: 'one-of', etags: [document.etag] },
    });
    expect(await readBlob(blobNameOf(caller))).toEqual(next.document.body);
    expect(await preferencesOf(engine, caller)).toEqual(['tea', 'no milk']);
  });

  it('adopts an edited blob as a new version', async () => {
    const { engine } = running();
    const caller = callerOf('edited');
    const { document } = await addPreference(engine, caller, 'tea');
    const body = await readBlob(blobNameOf(caller));
    body.content.preferences = ['coffee'];
    await writeBlob(blobNameOf(caller), JSON.stringify(body, null, 2));
    const seen = await getDocument(engine, caller, dynamicDocument);
    expect(seen).toMatchObject({ version: 2, body: { content: { preferences: ['coffee'] }, updated_by: 'memhall' } });
    expect(seen.etag).not.toBe(document.etag);
    expect(await readBlob(blobNameOf(caller))).toEqual(seen.body);
    const { items } = await documentHistory(engine, caller, { ...dynamicDocument, limit: 10 });
    expect(items[0]).toMatchObject({
      document_version: 2,
      operation: 'documents.adopt',
      actor: { service_id: 'memhall' },
      binding_id: 'user_dynamic',
    });
    expect(await getDocument(engine, caller, dynamicDocument)).toEqual(seen);
  });

  it('rejects a write with a stale ETag after a blob edit and returns the latest ETag', async () => {
    const { engine } = running();
    const caller = callerOf('outdated');
    const { document } = await addPreference(engine, caller, 'tea');
    const body = await readBlob(blobNameOf(caller));
    await writeBlob(blobNameOf(caller), JSON.stringify({ ...body, content: { ...body.content, preferences: ['x'] } }));
    const precondition = { kind: 'one-of', etags: [document.etag] } as const;
    const refused = await addPreference(engine, caller, 'y', { precondition }).catch((error: unknown) => error);
    const { etag } = await getDocument(engine, caller, dynamicDocument);
    expect(refused).toMatchObject({ code: 'ETAG_MISMATCH', details: { latest_etag: `"${etag}"` } });
    expect(await preferencesOf(engine, caller)).toEqual(['x']);
    await addPreference(engine, caller, 'z');
    expect(await preferencesOf(engine, caller)).toEqual(['x', 'z']);
  });

  it('removes a document with its blob and continues its version numbers when it comes back', async () => {
    const { engine } = running();
    const caller = callerOf('removed');
    await addPreference(engine, caller, 'tea');
    const { document } = await addPreference(engine, caller, 'milk');
    await blobs().deleteBlob(blobNameOf(caller));
    await expect(getDocument(engine, caller, dynamicDocument)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect((await listDocuments(engine, caller, { limit: 10 })).items).toEqual([]);
    const again = await addPreference(engine, caller, 'coffee', { precondition: { kind: 'absent' } });
    expect(again.document.version).toBe(4);
    expect(again.document.body.content.preferences).toEqual(['coffee']);
    const { items } = await documentHistory(engine, caller, { ...dynamicDocument, limit: 10 });
    expect(items.map(({ document_version, post_etag }) => [document_version, post_etag === null])).toEqual([
      [4, false],
      [3, true],
      [2, false],
      [1, false],
    ]);
    const then = (at: Date) => getDocument(engine, caller, { ...dynamicDocument, at });
    expect((await then(new Date(document.body.updated_at))).etag).toBe(document.etag);
    expect((await then(new Date(again.document.body.updated_at))).etag).toBe(again.document.etag);
    await expect(then(new Date(items[1]?.at ?? ''))).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });

  it('adopts a new blob as a document', async () => {
    const { engine } = running();
    const caller = callerOf('made');
    const text = JSON.stringify({ content: { preferences: ['by hand'] } });
    await writeBlob(blobNameOf(caller), text);
    const precondition = { kind: 'absent' } as const;
    await expect(addPreference(engine, caller, 'x', { precondition })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    expect(await getDocument(engine, caller, dynamicDocument)).toMatchObject({
      version: 1,
      body: { schema_id: 'memory.user.dynamic', schema_version: '1.0.0', content: { preferences: ['by hand'] } },
    });
  });

  it('lets recall know what was edited, made and removed there', async () => {
    const { engine } = running();
    const caller = callerOf('recalled');
    await addPreference(engine, caller, 'tea');
    const { document } = await addPreference(engine, caller, 'milk');
    expect(await piecesOf(engine, caller)).toEqual(['tea', 'milk']);
    const body = { ...document.body, content: { ...document.body.content, preferences: ['honey', 'milk'] } };
    await writeBlob(blobNameOf(caller), JSON.stringify(body));
    await getDocument(engine, caller, dynamicDocument);
    expect(await piecesOf(engine, caller)).toEqual(['milk', 'honey']);
    await blobs().deleteBlob(blobNameOf(caller));
    await expect(getDocument(engine, caller, dynamicDocument)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect(await piecesOf(engine, caller)).toEqual([]);
    const other = callerOf('recalled-new');
    await writeBlob(blobNameOf(other), JSON.stringify({ content: { preferences: ['by hand'] } }));
    await getDocument(engine, other, dynamicDocument);
    expect(await piecesOf(engine, other)).toEqual(['by hand']);
  });

  it('rejects a blob that is not a document', async () => {
    const { engine } = running();
    const caller = callerOf('broken');
    await addPreference(engine, caller, 'tea');
    const blob = await readBlob(blobNameOf(caller));
    for (const text of ['no JSON', '[]', '{}', '{"content":[]}']) {
      await writeBlob(blobNameOf(caller), text);
      await expect(preferencesOf(engine, caller)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(addPreference(engine, caller, 'x')).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    await writeBlob(blobNameOf(caller), JSON.stringify(blob));
    expect(await preferencesOf(engine, caller)).toEqual(['tea']);
    expect((await getDocument(engine, caller, dynamicDocument)).version).toBe(1);
  });

  it('keeps the audit chain valid', async () => {
    expect((await verifyAudit(running().engine.store)).faults).toEqual([]);
  });
});
