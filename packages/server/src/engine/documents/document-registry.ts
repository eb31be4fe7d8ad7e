import { Problem } from '@memhall/core';
import type { RegisteredProfile, RegisteredSchema } from '../../ports/registry.js';
import type { Tables } from '../../ports/store.js';
import { tierProfile, tierSchema } from '../tiers/tier-profile.js';
import { DocumentSchemas } from './document-schemas.js';
import { type Profile, toProfile } from './profile.js';
import type { ProfileSource } from './profile-shape.js';
import { type Starter, toStarter } from './starter.js';

const maxProfiles = 1000;
const maxSchemas = 1000;
const schemaMs = 60_000;

/**
 * Profiles and schemas as a tenant sees them: its own, and the starter's where it has none of the same name. Those that
 * Memhall itself writes with are there as well, and in no list: what lists are asked for, such as periods, they do not decide.
 * What is read from them is kept in memory by ETag and hash, so nothing outdated is ever used.
 */
export class DocumentRegistry {
  readonly schemas = new DocumentSchemas();
  readonly #starter: Starter;
  readonly #builtIn = toStarter({ profiles: [tierProfile], schemas: [tierSchema] });
  readonly #profiles = new Map<string, Profile>();
  readonly #found = new Map<string, { schema: RegisteredSchema; until: number }>();

  constructor(starter: Starter) {
    this.#starter = starter;
  }

  async profile(tables: Tables, profileId: string): Promise<Profile> {
    return this.read(this.choose(profileId, await tables.registry.profile(profileId)));
  }

  /** The tenant's own if it has one, else the starter's. Throws PROFILE_NOT_FOUND. */
  choose(profileId: string, own: RegisteredProfile | undefined): RegisteredProfile {
    const found = this.find(profileId, own);
    if (found === undefined) throw new Problem('PROFILE_NOT_FOUND', `There is no profile ${profileId}.`);
    return found;
  }

  find(profileId: string, own: RegisteredProfile | undefined): RegisteredProfile | undefined {
    return own ?? this.#starter.profiles.get(profileId) ?? this.#builtIn.profiles.get(profileId);
  }

  async registeredProfiles(tables: Tables): Promise<RegisteredProfile[]> {
    const own = await tables.registry.profiles();
    const names = new Set(own.map(({ profileId }) => profileId));
    const starters = [...this.#starter.profiles.values()].filter(({ profileId }) => !names.has(profileId));
    return [...own, ...starters].sort((one, other) => (one.profileId < other.profileId ? -1 : 1));
  }

  read({ profileId, profile, etag }: RegisteredProfile): Profile {
    const key = `${profileId}\n${etag}`;
    const known = this.#profiles.get(key);
    if (known !== undefined) return known;
    const made = toProfile(profileId, profile as ProfileSource);
    if (this.#profiles.size >= maxProfiles) this.#profiles.clear();
    this.#profiles.set(key, made);
    return made;
  }

  /**
   * The tenant's own if it has one, else the starter's. A version never changes once it is there, not even when a later
   * starter brings another of the same name, so it is asked for now and then only: a tenant may have been erased.
   */
  async schema(
    tables: Tables,
    tenantId: string,
    schemaId: string,
    version: string,
  ): Promise<RegisteredSchema | undefined> {
    const key = `${tenantId}\n${schemaId}\n${version}`;
    const known = this.#found.get(key);
    if (known !== undefined && known.until > Date.now()) return known.schema;
    const own = await tables.registry.schema(schemaId, version);
    const name = `${schemaId}\n${version}`;
    const schema = own ?? this.#starter.schemas.get(name) ?? this.#builtIn.schemas.get(name);
    if (this.#found.size >= maxSchemas) this.#found.clear();
    if (schema !== undefined) this.#found.set(key, { schema, until: Date.now() + schemaMs });
    return schema;
  }

  starterSchemas(): RegisteredSchema[] {
    return [...this.#starter.schemas.values()];
  }
}

/** Throws SCHEMA_NOT_FOUND when what a binding names is not there. */
export function requireSchema(
  found: RegisteredSchema | undefined,
  { schemaId, schemaVersion }: { schemaId: string; schemaVersion: string },
): RegisteredSchema {
  if (found !== undefined) return found;
  throw new Problem('SCHEMA_NOT_FOUND', `There is no schema ${schemaId} ${schemaVersion}: register it first.`, {
    details: { schema_id: schemaId, schema_version: schemaVersion },
  });
}
