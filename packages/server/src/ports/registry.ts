import type { Json } from '@memhall/core';

/** A JSON Schema that documents are checked against; never changes once it is there. */
export interface RegisteredSchema {
  schemaId: string;
  version: string;
  schema: Json;
  /** How documents of the version before become documents of this one, for people and tools to read. */
  migration: Json | null;
  /** Equal for equal schema and migration. */
  hash: string;
  createdAt: Date;
}

export interface RegisteredProfile {
  profileId: string;
  profile: Json;
  etag: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Schemas and profiles of the transaction's tenant. Users' transactions read only. */
export interface Registry {
  schema(schemaId: string, version: string): Promise<RegisteredSchema | undefined>;
  /** By id and version, later than `after`. */
  schemas(page: { after?: readonly [schemaId: string, version: string]; limit: number }): Promise<RegisteredSchema[]>;
  /** Queued; an existing version fails the transaction. */
  addSchema(schema: RegisteredSchema): void;
  profile(profileId: string): Promise<RegisteredProfile | undefined>;
  /** All of them, by id: a tenant has a handful. */
  profiles(): Promise<RegisteredProfile[]>;
  /** Replaces what is there. Queued. */
  putProfile(profile: RegisteredProfile): void;
}
