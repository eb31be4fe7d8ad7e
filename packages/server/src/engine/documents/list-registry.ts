import type { RegisteredProfile, RegisteredSchema } from '../../ports/registry.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

export function getProfile(engine: Engine, caller: Caller, profileId: string): Promise<RegisteredProfile> {
  return engine.store.read(scopeOf(caller), async (tables) =>
    engine.registry.choose(profileId, await tables.registry.profile(profileId)),
  );
}

export function listProfiles(engine: Engine, caller: Caller): Promise<RegisteredProfile[]> {
  return engine.store.read(scopeOf(caller), (tables) => engine.registry.registeredProfiles(tables));
}

export function getSchema(
  engine: Engine,
  caller: Caller,
  { schemaId, version }: { schemaId: string; version: string },
): Promise<RegisteredSchema | undefined> {
  return engine.store.read(scopeOf(caller), (tables) =>
    engine.registry.schema(tables, caller.tenantId, schemaId, version),
  );
}

/** Lists the tenant's own schemas and the starter's, by id and version. */
export async function listSchemas(
  engine: Engine,
  caller: Caller,
  input: { limit: number; cursor?: string | undefined },
): Promise<Page<RegisteredSchema>> {
  const after = input.cursor === undefined ? undefined : (decodeCursor(input.cursor, 2) as [string, string]);
  const page = { limit: input.limit + 1, ...(after === undefined ? {} : { after }) };
  const own = await engine.store.read(scopeOf(caller), (tables) => tables.registry.schemas(page));
  const names = new Set(own.map(({ schemaId, version }) => `${schemaId}\n${version}`));
  const shipped = engine.registry
    .starterSchemas()
    .filter((schema) => after === undefined || isAfter(schema, after))
    .filter(({ schemaId, version }) => !names.has(`${schemaId}\n${version}`));
  const rows = [...own, ...shipped].sort((one, other) => (isAfter(one, [other.schemaId, other.version]) ? 1 : -1));
  return toPage(rows.slice(0, input.limit + 1), input.limit, ({ schemaId, version }) => [schemaId, version]);
}

function isAfter({ schemaId, version }: RegisteredSchema, [afterId, afterVersion]: readonly [string, string]): boolean {
  return schemaId === afterId ? version > afterVersion : schemaId > afterId;
}
