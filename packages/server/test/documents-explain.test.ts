import { expect, it } from 'vitest';
import { scopeOf } from '../src/engine/caller.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { listDocuments } from '../src/engine/documents/list-documents.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { Engine } from '../src/engine/engine.js';
import type { Tables } from '../src/ports/store.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { seedRows, useExplainedEngine } from './support/explain.js';

const place = { namespace: 'projects', path: 'doc-1.json' };
const target = 'documents/projects/doc-1.json';

/** Thousands of documents, versions, checkpoints, keys and records of seven users. */
const rows = `
  INSERT INTO memhall.artifacts (tenant_id, user_id, kind, folder, name, version, etag, body, size_chars, occurred_at,
    created_at, updated_at)
  SELECT 't1', 'u' || n % 7, 'document', 'projects', 'doc-' || n / 7 || '.json', 1, 'e', '{"content":{}}', 2, now(), now(), now()
  FROM generate_series(1, 7000) n;
  INSERT INTO memhall.document_checkpoints (tenant_id, user_id, folder, name, version, etag, body, at)
  SELECT 't1', 'u' || n % 7, 'projects', 'doc-' || n % 50 || '.json', n, 'e', '{"content":{}}', now()
  FROM generate_series(1, 7000) n;
  INSERT INTO memhall.idempotency_keys (tenant_id, user_id, key, payload_hash, result, created_at)
  SELECT 't1', 'u' || n % 7, 'k' || n, 'h', '{}', now() - n * interval '1 second' FROM generate_series(1, 7000) n;
  INSERT INTO memhall.profiles (tenant_id, profile_id, profile, etag, created_at, updated_at)
  SELECT 't' || n % 100, 'p' || n, '{}', 'e', now(), now() FROM generate_series(200, 5000) n;
  INSERT INTO memhall.audit_heads (tenant_id, user_id, seq, hash)
  SELECT 't1', 'u' || n, 21000, ''::bytea FROM generate_series(0, 6) n;
  INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
  SELECT 't1', 'u' || n % 7, n, json_build_object('target', 'documents/projects/doc-' || n % 350 || '.json', 'at',
    to_char(now() - n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"'), 'document_version', n)::text, ''::bytea
  FROM generate_series(1, 21000) n`;
const tables = ['artifacts', 'document_checkpoints', 'idempotency_keys', 'profiles', 'audit_records'];

describeEachDatabase('document queries', (database) => {
  const running = useExplainedEngine(database);
  const caller = callerOf('u1');

  const read = (work: (tables: Tables) => Promise<unknown>) => (engine: Engine) =>
    engine.store.read(scopeOf(caller), work);
  const patch = (engine: Engine) =>
    patchDocument(engine, caller, {
      ...place,
      profileId: 'project-copilot-v1',
      bindingId: 'project_doc',
      reason: 'live_update',
      evidence: null,
      confidence: null,
      precondition: { kind: 'none' },
      idempotency: { key: 'k8', payloadHash: 'h' },
      ops: [],
    }).catch(() => undefined);
  const at = '2026-01-01T00:00:00.000Z';
  const cases: [name: string, table: string, index: RegExp, work: (engine: Engine) => Promise<unknown>][] = [
    ['get', 'artifacts', /artifacts_pkey/, (engine) => getDocument(engine, caller, place)],
    ['list', 'artifacts', /artifacts_pkey/, (engine) => listDocuments(engine, caller, { limit: 20 })],
    [
      'list of a namespace, from the middle',
      'artifacts',
      /artifacts_pkey/,
      read(({ artifacts }) =>
        artifacts.list('document', { folder: 'projects', after: ['projects', 'doc-5'], limit: 20 }),
      ),
    ],
    [
      'history',
      'audit_records',
      /audit_records_version/,
      (engine) => documentHistory(engine, caller, { ...place, limit: 20 }),
    ],
    [
      'versions',
      'audit_records',
      /audit_records_version/,
      read(({ audit }) => audit.versions(target, { after: 0, upTo: 99, limit: 32 })),
    ],
    [
      'checkpoint of a moment',
      'document_checkpoints',
      /document_checkpoints_pkey/,
      read(({ documentCheckpoints }) => documentCheckpoints.latest(place, { at: new Date() })),
    ],
    [
      'checkpoint of a version',
      'document_checkpoints',
      /document_checkpoints_pkey/,
      read(({ documentCheckpoints }) => documentCheckpoints.latest(place, { version: 1000 })),
    ],
    ['profile of a patch', 'profiles', /profiles_pkey/, patch],
    ['key of a patch', 'idempotency_keys', /idempotency_keys_pkey/, patch],
    ['document of a patch', 'artifacts', /artifacts_pkey/, patch],
    [
      'audit',
      'audit_records',
      /audit_records_pkey/,
      read(({ audit }) => audit.list({}, { before: undefined, limit: 20 })),
    ],
    [
      'audit of a target',
      'audit_records',
      /audit_records_(target|version)/,
      read(({ audit }) => audit.list({ target }, { before: 9n, limit: 20 })),
    ],
    [
      'audit of a time',
      'audit_records',
      /audit_records_(time|pkey)/,
      read(({ audit }) => audit.list({ from: at, to: at }, { before: undefined, limit: 20 })),
    ],
  ];

  it('use indexes on tables with thousands of rows', async () => {
    await seedRows(running(), tables, rows);
    for (const [name, table, index, work] of cases) {
      const { plan } = await running().explain(caller, table, work);
      expect(plan, name).toMatch(index);
      expect(plan, name).not.toContain('Seq Scan');
      // A page of a long history must not sort the whole history first.
      if (!name.endsWith('time')) expect(plan, name).not.toContain('Sort');
    }
  });

  it('find the profiles in use by one look at the index for each document', async () => {
    const inUse = (engine: Engine) => engine.store.inspect('t1', ({ registry }) => registry.uses('u1'));
    const { plan } = await running().explain(caller, 'audit_records', inUse);
    expect(plan).toMatch(/audit_records_version[^\n]*\n\s*Index Cond: [^\n]*target = /);
  });
});
