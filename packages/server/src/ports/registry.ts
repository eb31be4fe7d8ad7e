import type { Json } from '@memhall/core';
import type { DocumentPlace } from './document-checkpoints.js';

/** A JSON Schema that documents are validated against. Immutable. */
export interface RegisteredSchema {
  schemaId: string;
  version: string;
  schema: Json;
  /** Describes how to turn documents of the previous version into this one, for people and tools to read. */
  migration: Json | null;
  /** Equal if and only if schema and migration are equal. */
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

/** What shows that a profile is in use: it was named, or a document exists and no record of who wrote it is left. */
export type ProfileUse = { profileId: string } | { profileId: null; document: DocumentPlace };

/** Schemas and profiles of the transaction's tenant. Users' transactions read only. */
export interface Registry {
  schema(schemaId: string, version: string): Promise<RegisteredSchema | undefined>;
  /** Ordered by id and version, starting after `after`. */
  schemas(page: { after?: readonly [schemaId: string, version: string]; limit: number }): Promise<RegisteredSchema[]>;
  /** Queued; an existing version fails the transaction. */
  addSchema(schema: RegisteredSchema): void;
  profile(profileId: string): Promise<RegisteredProfile | undefined>;
  /** Returns all of them, ordered by id: a tenant has only a handful. */
  profiles(): Promise<RegisteredProfile[]>;
  /**
   * Returns the profiles that documents were last written with, except by compaction, and that conversations were replayed
   * with: of one user, or of all users of the tenant. In no particular order. Operator transactions only.
   */
  uses(userId?: string): Promise<ProfileUse[]>;
  /** Inserts or replaces. Queued. */
  putProfile(profile: RegisteredProfile): void;
}
