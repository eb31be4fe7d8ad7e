import type { Json } from '@memhall/core';
import { beforeAll, expect, it } from 'vitest';
import { mutateTenant } from '../src/engine/audit/mutate.js';
import type { Caller } from '../src/engine/caller.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import { toRegisteredSchema } from '../src/engine/documents/starter.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { patchOf } from './support/engine-documents.js';

describeOneDatabase('a schema that was registered before there were limits', (database) => {
  const running = useEngine(database);
  const names = Array.from({ length: 6000 }, (_, index) => `f${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const input = { schemaId: 'older', version: '1', schema: { properties } as Json, migration: null };
  const admin: Caller = { ...callerOf('boss'), actor: { userId: 'boss', serviceId: null, roles: ['admin'] } };

  beforeAll(async () => {
    const { engine } = running();
    await mutateTenant(engine, admin, async (tables, now) => {
      tables.registry.addSchema(toRegisteredSchema(input, now));
      return { result: undefined, mutations: [] };
    });
    await registerProfile(engine, admin, {
      profileId: 'p',
      source: {
        document_bindings: [
          { binding_id: 'b', namespace: 'n', path: 'd.json', schema_id: 'older', schema_version: '1' },
        ],
        writable_path_rules: { b: [''] },
      },
      precondition: { kind: 'none' },
    });
  });

  const write = (value: Json) =>
    patchDocument(running().engine, callerOf('u1'), {
      ...patchOf([{ op: 'add', path: '/content/f5999', value }]),
      ...{ namespace: 'n', path: 'd.json', profileId: 'p', bindingId: 'b' },
    });

  it('is still used for documents', async () => {
    expect((await write('text')).document.body.content).toEqual({ f5999: 'text' });
    await expect(write(1)).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      details: { faults: [{ pointer: '/content/f5999', rule: 'type' }] },
    });
  });

  it('cannot be registered again', async () => {
    const again = registerSchema(running().engine, admin, { ...input, version: '2' });
    await expect(again).rejects.toMatchObject({ code: 'INVALID_SCHEMA' });
  });
});
