import { eachItem, orNull } from './client-area.js';
import {
  type Answer,
  type Body,
  type DocumentsScope,
  type EachPage,
  type Query,
  splitOptions,
} from './documents-call.js';
import type { Profile, Schema, SchemaList } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import type { CallOptions } from './transport.js';

export type NewSchema = Body<'schemas.put'>;
export type ProfileSource = Body<'profiles.put'>;
export type SchemaSummary = SchemaList['schemas'][number];

export interface RegisteredProfile {
  etag: string;
  profile: Profile;
}

export interface ProfileWriteOptions extends CallOptions {
  /** Replace the profile only if its current ETag is this one. */
  ifMatch?: string;
  /** Register the profile only if the tenant has none of this name. */
  create?: boolean;
}

/** JSON Schemas that documents are validated against. Registering them needs the role admin. */
export interface Schemas {
  /** Registers a version. Registering the same schema again changes nothing; a different one is rejected. */
  put(schemaId: string, version: string, schema: NewSchema, options?: CallOptions): Promise<Schema>;
  /** Returns null if the version is not registered. */
  get(schemaId: string, version: string, options?: CallOptions): Promise<Schema | null>;
  /** Ordered by id and version. */
  list(options?: CallOptions & Query<'schemas.list'>): Promise<SchemaList>;
  each(options?: EachPage<'schemas.list'>): AsyncGenerator<SchemaSummary, void, undefined>;
}

/** Profiles of the tenant. Registering them needs the role admin. */
export interface Profiles {
  put(profileId: string, profile: ProfileSource, options?: ProfileWriteOptions): Promise<RegisteredProfile>;
  /** Returns null if there is no such profile. */
  get(profileId: string, options?: CallOptions): Promise<RegisteredProfile | null>;
  list(options?: CallOptions): Promise<Answer<'profiles.list'>>;
}

export function schemasOf({ transport, tenant }: DocumentsScope): Schemas {
  const list: Schemas['list'] = async (given = {}) => {
    const { query, options } = splitOptions(given);
    return (await transport.call('schemas.list', { path: tenant, query }, options)).answer;
  };
  return {
    put: async (schema_id, version, body, options) =>
      (await transport.call('schemas.put', { path: { ...tenant, schema_id, version }, body }, options)).answer,
    get: async (schema_id, version, options) =>
      (await orNull(transport.call('schemas.get', { path: { ...tenant, schema_id, version } }, options)))?.answer ??
      null,
    list,
    each: (options = {}) =>
      eachItem(
        (page) => list({ ...options, ...page }),
        ({ schemas }) => schemas,
      ),
  };
}

export function profilesOf({ transport, tenant }: DocumentsScope): Profiles {
  return {
    async put(profile_id, body, { ifMatch, create, ...options } = {}) {
      const headers = {
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(create ? { 'if-none-match': '*' } : {}),
      };
      const input = { path: { ...tenant, profile_id }, body, headers };
      const { answer, etag } = await transport.call('profiles.put', input, options);
      return { etag: etag ?? '', profile: answer };
    },
    async get(profile_id, options) {
      try {
        const { answer, etag } = await transport.call('profiles.get', { path: { ...tenant, profile_id } }, options);
        return { etag: etag ?? '', profile: answer };
      } catch (error) {
        if (error instanceof MemhallError && error.code === 'PROFILE_NOT_FOUND') return null;
        throw error;
      }
    },
    list: async (options) => (await transport.call('profiles.list', { path: tenant }, options)).answer,
  };
}
