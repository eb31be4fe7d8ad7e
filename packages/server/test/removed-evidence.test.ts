import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@memhall/core';
import { expect, it } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { catchUpDocuments } from '../src/engine/documents/catch-up-documents.js';
import { migrateDocuments } from '../src/engine/documents/migrate-documents.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import { replaceDocument } from '../src/engine/documents/replace-document.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { putFact } from '../src/engine/facts/put-fact.js';
import { getFact, listFacts } from '../src/engine/facts/read-facts.js';
import { applyRetention } from '../src/engine/governance/apply-retention.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { forgetResource } from '../src/engine/resources/forget-resource.js';
import { ingestResource } from '../src/engine/resources/ingest-resource.js';
import { forgetTier } from '../src/engine/tiers/forget-tier.js';
import { retainTier } from '../src/engine/tiers/retain-tier.js';
import { collectAll } from './support/collect-all.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const binding = {
  binding_id: 'b',
  namespace: 'notes',
  path_template: '{name}.json',
  schema_id: 'any',
  schema_version: '1',
};

describeOneDatabase('facts whose evidence is removed with its record', (database) => {
  const running = useEngine(database);

  async function newUser() {
    const { engine } = running();
    const caller = callerOf('ann', `tenant-${randomUUID()}`);
    const admin: Caller = { ...caller, actor: { ...caller.actor, roles: ['admin'] } };
    await registerSchema(engine, admin, { schemaId: 'any', version: '1', schema: {}, migration: null });
    const register = (more: object = {}) => {
      const source: ProfileSource = {
        document_bindings: [{ ...binding, ...more }],
        retention_rules: { events_days: 1 },
      };
      return registerProfile(engine, admin, { profileId: 'p', source, precondition: { kind: 'none' } });
    };
    await register();
    const put = (content: { [key: string]: Json }, by = admin) =>
      replaceDocument(engine, by, {
        ...{
          namespace: 'notes',
          path: 'a.json',
          profileId: 'p',
          bindingId: 'b',
          content,
          evidence: null,
          confidence: null,
        },
        ...{ precondition: { kind: 'none' }, idempotency: null },
      });
    const find = async (text: string) => {
      const listed = await engine.store.read(caller, (tables) =>
        tables.memories.list(
          [{ kind: 'user', userId: caller.userId }],
          {},
          { before: undefined, limit: 100, now: new Date() },
        ),
      );
      const found = listed.find(({ memory }) => memory.content.includes(text));
      if (found === undefined) throw new Error(`no memory says ${text}`);
      return found.memory.id;
    };
    /** States a fact that nothing else says. */
    const cite = async (text: string, value: string) => {
      const evidence = [await find(text)];
      return (await putFact(engine, caller, { subject: 'me', attribute: 'lives in', value, evidence })).fact.id;
    };
    const list = async () =>
      (await listFacts(engine, caller, { includeSuperseded: true, limit: 10 })).items.map(
        ({ fact, status }) => `${fact.value} ${status}`,
      );
    const state = (value: string) => putFact(engine, caller, { subject: 'me', attribute: 'lives in', value });
    return { engine, caller, admin, register, put, find, cite, list, state };
  }

  it('go with the piece of a document', async () => {
    const { put, cite, list, state } = await newUser();
    await state('Rome');
    await put({ home: 'I live in Bergen', plan: 'walrus' });
    await cite('Bergen', 'Bergen');
    expect(await list()).toEqual(['Bergen current', 'Rome superseded']);
    await put({ home: 'I live in Bergen', plan: 'seal' });
    expect(await list()).toHaveLength(2);
    await put({ plan: 'seal' });
    expect(await list()).toEqual(['Rome current']);
  });

  it('go with a place that is denied later', async () => {
    const { engine, caller, register, put, cite, list } = await newUser();
    await put({ home: 'I live in Bergen' });
    await cite('Bergen', 'Bergen');
    await register({ deny_paths: ['/home'] });
    await catchUpDocuments(engine, caller.tenantId);
    expect(await list()).toEqual([]);
  });

  it('go with the words of a forgotten author', async () => {
    const { engine, caller, put, cite, list } = await newUser();
    const bob = callerOf('bob', caller.tenantId);
    await put({ home: 'I live in Bergen' }, { ...caller, actor: { ...bob.actor, roles: ['admin'] } });
    await cite('Bergen', 'Bergen');
    await forgetUser(engine, { ...bob, actor: { ...bob.actor, roles: ['admin'] } });
    expect(await list()).toEqual([]);
  });

  it('stay with a document that moves', async () => {
    const { engine, caller, register, put, cite, find, list } = await newUser();
    await put({ home: 'I live in Bergen' });
    const id = await cite('Bergen', 'Bergen');
    await register({ namespace: 'ideas', legacy_paths: [{ namespace: 'notes', path: '{name}.json' }] });
    await collectAll(migrateDocuments(engine, caller.tenantId, 'p', 'apply'));
    expect(await list()).toHaveLength(1);
    expect((await getFact(engine, caller, id)).evidence.map((memory) => memory.id)).toEqual([await find('Bergen')]);
  });

  it('go with a line of a note, and stay with one that moves', async () => {
    const { engine, caller, cite, find, list } = await newUser();
    const long = (text: string) => `${text} ${'and so on '.repeat(40)}`;
    const write = (...lines: string[]) =>
      retainTier(engine, caller, { tier: 'AGENT', content: lines.map(long).join('\n\n'), mode: 'replace' });
    await write('walrus', 'I live in Bergen');
    const id = await cite('Bergen', 'Bergen');
    await write('a new one', 'walrus', 'I live in Bergen');
    expect((await getFact(engine, caller, id)).evidence.map((memory) => memory.id)).toEqual([await find('Bergen')]);
    await write('a new one', 'walrus');
    expect(await list()).toEqual([]);
    await write('I live in Oslo');
    await cite('Oslo', 'Oslo');
    expect(await list()).toHaveLength(1);
    await forgetTier(engine, caller, { label: 'AGENT.md' });
    expect(await list()).toEqual([]);
  });

  it('go with an event that is too old', async () => {
    const { engine, caller, cite, list } = await newUser();
    await writeEvent(engine, caller, {
      ...{ service_id: null, source_type: null, keywords: [], project_ids: [] },
      ...{ timestamp: '2026-01-01T00:00:00Z', digest: 'They live in Bergen.' },
    });
    await cite('Bergen', 'Bergen');
    expect(await applyRetention(engine, caller, { profileId: 'p' })).toMatchObject({ searchDocumentsDeleted: 1 });
    expect(await list()).toEqual([]);
  });

  it('go with an uploaded file', async () => {
    const { engine, caller, cite, list } = await newUser();
    const text = 'The owner lives in Bergen.';
    const path = join(tmpdir(), `memhall-${randomUUID()}.txt`);
    await writeFile(path, text);
    const { resourceId } = await ingestResource(
      engine,
      caller,
      {
        ...{
          path,
          name: 'a.txt',
          sizeBytes: text.length,
          contentHash: createHash('sha256').update(text).digest('hex'),
        },
        async *pieces() {
          yield Buffer.from(text);
        },
      },
      { title: null, description: null, appId: 'a', projectId: 'p' },
    );
    await cite('Bergen', 'Bergen');
    expect(await list()).toHaveLength(1);
    await forgetResource(engine, caller, resourceId);
    expect(await list()).toEqual([]);
  });
});
