import type { Json } from '@memhall/core';
import type { ArtifactStore, StoredKey } from '../ports/artifact-store.js';
import type { RegisteredProfile, RegisteredSchema } from '../ports/registry.js';
import type { Tables } from '../ports/store.js';
import type { Outer } from './outer.js';

const pageSize = 200;

/** A tenant's schemas and profiles in the outer store: the documents there are useless without them. */
type RegistryText =
  | { schema_id: string; version: string; schema: Json; migration: Json | null; hash: string; created_at: string }
  | { profile_id: string; profile: Json; etag: string; created_at: string; updated_at: string };

export async function copyRegistry({ blobs, database }: Outer, tenantId: string): Promise<void> {
  const entries = await database.inspect(tenantId, async (tables) => [
    ...(await tables.registry.profiles()).map(fromProfile),
    ...(await allSchemas(tables)).map(fromSchema),
  ]);
  for (const [name, text] of entries) await putIfChanged(blobs, tenantId, name, JSON.stringify(text));
}

/** Restores schemas and profiles that the database lacks. Those it has are never behind: the database is written first. */
export async function restoreRegistry({ blobs, database }: Outer, tenantId: string): Promise<void> {
  const owner = { tenantId, userId: '' };
  const found: RegistryText[] = [];
  for await (const { name } of blobs.list(owner, 'registry')) {
    const stored = await blobs.get(owner, keyOf(name));
    if (stored !== undefined) found.push(JSON.parse(stored.text));
  }
  if (found.length === 0) return;
  await database.administer(tenantId, async (tables) => {
    for (const entry of found) {
      if ('profile' in entry) {
        const known = await tables.registry.profile(entry.profile_id);
        if (known === undefined) tables.registry.putProfile(toProfile(entry));
      } else {
        const known = await tables.registry.schema(entry.schema_id, entry.version);
        if (known === undefined) tables.registry.addSchema(toSchema(entry));
      }
    }
  });
}

async function putIfChanged(blobs: ArtifactStore, tenantId: string, name: string, text: string): Promise<void> {
  const owner = { tenantId, userId: '' };
  const present = await blobs.get(owner, keyOf(name));
  if (present?.text !== text) await blobs.put(owner, keyOf(name), { text, facts: null });
}

async function allSchemas(tables: Tables): Promise<RegisteredSchema[]> {
  const all: RegisteredSchema[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last && ([last.schemaId, last.version] as const);
    const page = await tables.registry.schemas({ ...(after === undefined ? {} : { after }), limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

function keyOf(name: string): StoredKey {
  return { kind: 'registry', folder: '', name };
}

function fromProfile(own: RegisteredProfile): [string, RegistryText] {
  return [
    `profiles/${own.profileId}`,
    {
      profile_id: own.profileId,
      profile: own.profile,
      etag: own.etag,
      created_at: own.createdAt.toISOString(),
      updated_at: own.updatedAt.toISOString(),
    },
  ];
}

function fromSchema(own: RegisteredSchema): [string, RegistryText] {
  return [
    `schemas/${own.schemaId}/${own.version}`,
    {
      schema_id: own.schemaId,
      version: own.version,
      schema: own.schema,
      migration: own.migration,
      hash: own.hash,
      created_at: own.createdAt.toISOString(),
    },
  ];
}

function toProfile(entry: Extract<RegistryText, { profile_id: string }>): RegisteredProfile {
  return {
    profileId: entry.profile_id,
    profile: entry.profile,
    etag: entry.etag,
    createdAt: new Date(entry.created_at),
    updatedAt: new Date(entry.updated_at),
  };
}

function toSchema(entry: Extract<RegistryText, { schema_id: string }>): RegisteredSchema {
  return {
    schemaId: entry.schema_id,
    version: entry.version,
    schema: entry.schema,
    migration: entry.migration,
    hash: entry.hash,
    createdAt: new Date(entry.created_at),
  };
}
