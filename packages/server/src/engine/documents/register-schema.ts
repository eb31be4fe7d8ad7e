import { type Json, Problem } from '@memhall/core';
import type { RegisteredSchema } from '../../ports/registry.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { toRegisteredSchema } from './starter.js';

/** Permanently registers a version of a schema. Returns whether it is new. Throws INVALID_SCHEMA, SCHEMA_VERSION_EXISTS. */
export async function registerSchema(
  engine: Engine,
  caller: Caller,
  input: { schemaId: string; version: string; schema: Json; migration: Json | null },
): Promise<{ schema: RegisteredSchema; isNew: boolean }> {
  await engine.registry.schemas.check(input.schema);
  return mutateTenant<{ schema: RegisteredSchema; isNew: boolean }>(engine, caller, async (tables, now) => {
    const known = await engine.registry.schema(tables, caller.tenantId, input.schemaId, input.version);
    const made = toRegisteredSchema(input, now);
    if (known !== undefined) {
      if (known.hash === made.hash) return { result: { schema: known, isNew: false }, mutations: [] };
      const message = `The schema ${input.schemaId} ${input.version} is already registered with different content: use a new version.`;
      throw new Problem('SCHEMA_VERSION_EXISTS', message);
    }
    tables.registry.addSchema(made);
    const target = `schemas/${input.schemaId}/${input.version}`;
    const mutation = { target, preEtag: null, postEtag: made.hash, contentHash: made.hash };
    return { result: { schema: made, isNew: true }, mutations: [mutation] };
  });
}
