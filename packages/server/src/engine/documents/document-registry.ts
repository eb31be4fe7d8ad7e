import { Problem } from '@memhall/core';
import type { RegisteredProfile, RegisteredSchema } from '../../ports/registry.js';
import type { Tables } from '../../ports/store.js';
import type { Threads } from '../../ports/threads.js';
import { DocumentSchemas } from './document-schemas.js';
import { type Profile, toProfile } from './profile.js';
import type { ProfileSource } from './profile-shape.js';
import type { Starter } from './starter.js';

const maxProfiles = 1000;
const maxSchemas = 1000;
const schemaMs = 60_000;

/**
 * Profiles and schemas as a tenant sees them: its own, and the starter's unless the tenant has one of the same name. The built-in
 * ones, which Memhall itself writes with, can be used too. They are not listed, so that they do not affect what lists are used
 * for, such as retention periods. Parsed profiles are cached by ETag and schemas by hash, so nothing stale is ever used.
 */
export class DocumentRegistry {
  readonly schemas: DocumentSchemas;
  readonly #starter: Starter;
  readonly #builtIn: Starter;
  readonly #profiles = new Map<string, Profile>();
  readonly #found = new Map<string, { schema: RegisteredSchema; until: number }>();

  /** `builtIn`: profiles and schemas that Memhall itself writes with. `threads`: where large documents are checked. */
  constructor(starter: Starter, builtIn: Starter, threads: Threads) {
    this.schemas = new DocumentSchemas(threads);
    this.#starter = starter;
    this.#builtIn = builtIn;
  }

  async profile(tables: Tables, profileId: string): Promise<Profile> {
    return this.read(this.choose(profileId, await tables.registry.profile(profileId)));
  }

  /** Returns the tenant's own profile if it has one, else the starter's. Throws PROFILE_NOT_FOUND. */
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

  /** Whether the tenant has not registered a profile of this name itself. */
  isStarter(profile: RegisteredProfile): boolean {
    return this.#starter.profiles.get(profile.profileId) === profile;
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
   * Returns the tenant's own schema if it has one, else the starter's. A registered version never changes, not even if a later
   * starter has another of the same name, so it is cached for a minute. Not longer: the tenant may be erased.
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

/** Throws SCHEMA_NOT_FOUND if the schema of a binding does not exist. */
export function requireSchema(
  found: RegisteredSchema | undefined,
  { schemaId, schemaVersion }: { schemaId: string; schemaVersion: string },
): RegisteredSchema {
  if (found !== undefined) return found;
  throw new Problem('SCHEMA_NOT_FOUND', `There is no schema ${schemaId} ${schemaVersion}. Register it first.`, {
    details: { schema_id: schemaId, schema_version: schemaVersion },
  });
}
