import { type Json, Problem } from '@memhall/core';
import { Type } from 'typebox';
import { getProfile, getSchema, listProfiles, listSchemas } from '../../engine/documents/list-registry.js';
import { ProfileShape, type ProfileSource } from '../../engine/documents/profile-shape.js';
import { registerProfile } from '../../engine/documents/register-profile.js';
import { registerSchema } from '../../engine/documents/register-schema.js';
import type { Engine } from '../../engine/engine.js';
import { toPrecondition } from '../../http/preconditions.js';
import { defineRoute } from '../../http/route.js';
import { Id, ifMatch, ifNoneMatch, nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import type { RegisteredSchema } from '../../ports/registry.js';
import { tenantParams } from './shared-schemas.js';
import { quoted } from './to-document.js';

const closed = { additionalProperties: false };
const schemaParams = Type.Object({ ...tenantParams, schema_id: Id, version: Id });
const profileParams = Type.Object({ ...tenantParams, profile_id: Id });
const onlyTenant = Type.Object(tenantParams);
const etagHeader = { etag: 'ETag of the current profile' };

const Schema = Type.Object(
  {
    schema_id: Id,
    version: Id,
    schema: Type.Unknown({ description: 'JSON Schema 2020-12 for the content of documents' }),
    migration: Type.Optional(Type.Unknown()),
    created_at: Timestamp,
  },
  { title: 'Schema' },
);
const schemaBody = Type.Object(
  {
    schema: Type.Unknown({
      description: 'JSON Schema 2020-12. Patterns are matched in linear time and cannot use lookaround.',
    }),
    migration: Type.Optional(
      Type.Unknown({
        description: 'Describes how documents are migrated from the previous version. Stored unchanged.',
      }),
    ),
  },
  closed,
);
const SchemaList = Type.Object(
  {
    schemas: Type.Array(Type.Object({ schema_id: Id, version: Id, created_at: Timestamp })),
    next_cursor: nextCursor,
  },
  { title: 'SchemaList' },
);
const ProfileAnswer = Type.Unsafe<ProfileSource>({ ...ProfileShape, additionalProperties: true });
const ProfileList = Type.Object({ profiles: Type.Array(Type.Unknown()) }, { title: 'ProfileList' });

export const registryRoutes = [
  defineRoute({
    operation: 'schemas.put',
    method: 'PUT',
    path: '/v1/tenants/{tenant_id}/schemas/{schema_id}/{version}',
    summary: 'Register a version of a schema. A registered version cannot be changed.',
    access: 'admin',
    tenantWide: true,
    request: { params: schemaParams, body: schemaBody },
    responses: {
      201: { description: 'Registered', schema: Schema },
      200: { description: 'The same schema was already registered', schema: Schema },
    },
    problems: ['INVALID_SCHEMA', 'SCHEMA_VERSION_EXISTS'],
    async handle(engine: Engine, { caller, params, body }) {
      const { schema, isNew } = await registerSchema(engine, caller, {
        schemaId: params.schema_id,
        version: params.version,
        schema: body.schema as Json,
        migration: (body.migration as Json | undefined) ?? null,
      });
      return { status: isNew ? 201 : 200, body: toSchema(schema) };
    },
  }),
  defineRoute({
    operation: 'schemas.get',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/schemas/{schema_id}/{version}',
    summary: 'Read a version of a schema.',
    access: 'user',
    tenantWide: true,
    request: { params: schemaParams },
    responses: { 200: { description: 'The schema', schema: Schema } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const schema = await getSchema(engine, caller, { schemaId: params.schema_id, version: params.version });
      if (schema === undefined) {
        throw new Problem('NOT_FOUND', `The schema ${params.schema_id} ${params.version} does not exist.`);
      }
      return { body: toSchema(schema) };
    },
  }),
  defineRoute({
    operation: 'schemas.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/schemas',
    summary: 'List the schemas of a tenant, including the starter schemas.',
    access: 'user',
    tenantWide: true,
    request: { params: onlyTenant, query: Type.Object(pageQuery, closed) },
    responses: { 200: { description: 'Ordered by id and version', schema: SchemaList } },
    async handle(engine: Engine, { caller, query }) {
      const { items, nextCursor } = await listSchemas(engine, caller, query);
      const schemas = items.map(({ schemaId, version, createdAt }) => ({
        schema_id: schemaId,
        version,
        created_at: createdAt.toISOString(),
      }));
      return { body: { schemas, ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'profiles.put',
    method: 'PUT',
    path: '/v1/tenants/{tenant_id}/profiles/{profile_id}',
    summary: 'Register or replace a profile.',
    access: 'admin',
    tenantWide: true,
    request: {
      params: profileParams,
      headers: Type.Object({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }),
      body: ProfileShape,
    },
    responses: {
      200: { description: 'The existing profile, replaced or unchanged', schema: ProfileAnswer, headers: etagHeader },
      201: { description: 'The new profile', schema: ProfileAnswer, headers: etagHeader },
    },
    problems: ['ETAG_MISMATCH', 'SCHEMA_NOT_FOUND', 'SCHEMA_VALIDATION_FAILED'],
    async handle(engine: Engine, { caller, params, headers, body }) {
      const { profile, isNew } = await registerProfile(engine, caller, {
        profileId: params.profile_id,
        source: body,
        precondition: toPrecondition(headers),
      });
      return { status: isNew ? 201 : 200, headers: { etag: quoted(profile.etag) }, body: profile.profile };
    },
  }),
  defineRoute({
    operation: 'profiles.get',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/profiles/{profile_id}',
    summary: 'Read a profile.',
    access: 'user',
    tenantWide: true,
    request: { params: profileParams },
    responses: { 200: { description: 'The profile', schema: ProfileAnswer, headers: etagHeader } },
    problems: ['PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const { profile, etag } = await getProfile(engine, caller, params.profile_id);
      return { headers: { etag: quoted(etag) }, body: profile };
    },
  }),
  defineRoute({
    operation: 'profiles.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/profiles',
    summary: 'List the profiles of a tenant, including the starter profiles.',
    access: 'user',
    tenantWide: true,
    request: { params: onlyTenant },
    responses: { 200: { description: 'Ordered by id', schema: ProfileList } },
    async handle(engine: Engine, { caller }) {
      const profiles = await listProfiles(engine, caller);
      return { body: { profiles: profiles.map(({ profile }) => profile) } };
    },
  }),
];

function toSchema({ schemaId, version, schema, migration, createdAt }: RegisteredSchema) {
  const shown = { schema_id: schemaId, version, schema, created_at: createdAt.toISOString() };
  return migration === null ? shown : { ...shown, migration };
}
