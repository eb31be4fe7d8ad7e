import { createHash } from 'node:crypto';
import { canonicalJson, idPattern, type Json, Problem, StartUpError } from '@memhall/core';
import { Ajv } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import type { RegisteredProfile, RegisteredSchema } from '../../ports/registry.js';
import { checkSchema, findAllFaults, refuseFaults } from './find-faults.js';
import { toProfile } from './profile.js';
import { ProfileShape, type ProfileSource } from './profile-shape.js';

/** Profiles and schemas that every tenant has from the start. A tenant can register its own profile of the same name. */
export interface Starter {
  /** By id. */
  profiles: ReadonlyMap<string, RegisteredProfile>;
  /** By id and version, separated by a line feed. */
  schemas: ReadonlyMap<string, RegisteredSchema>;
}

/** The shapes are part of the code, so they are not validated themselves. */
const shapes = new Ajv({ strict: false, validateSchema: false });

/** The registration time that is shown for the starter's profiles and schemas. */
const beginning = new Date(0);

const Id = Type.String({ pattern: idPattern });
const SchemaFile = Type.Object(
  {
    schema_id: Id,
    version: Id,
    schema: Type.Unknown(),
    migration: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

/** The parsed files of a starter. */
interface StarterFiles {
  profiles: readonly unknown[];
  schemas: readonly unknown[];
}

/** Checks the files of a starter as if an admin registered them. Throws StartUpError. */
export function toCheckedStarter(files: StarterFiles): Starter {
  for (const file of files.schemas) {
    const { schema_id: schemaId, version, schema } = checkShape(SchemaFile, file, 'schema');
    checked(`schema ${schemaId} ${version}`, () => checkSchema(schema as Json));
  }
  for (const file of files.profiles) {
    const { profile_id: profileId } = checkShape(ProfileShape, file, 'profile');
    if (profileId === undefined) throw unusable('a profile', 'it has no profile_id.');
  }
  const starter = toStarter(files);
  for (const { profileId, profile: source } of starter.profiles.values()) {
    const profile = checked(`profile ${profileId}`, () => toProfile(profileId, source as ProfileSource));
    for (const { bindingId, schemaId, schemaVersion, initial } of profile.bindings) {
      const schema = starter.schemas.get(`${schemaId}\n${schemaVersion}`);
      if (schema === undefined)
        throw unusable(`profile ${profileId}`, `${bindingId} names a schema that does not exist.`);
      checked(`profile ${profileId}`, () =>
        refuseFaults(schema, findAllFaults({ schema: schema.schema, content: initial })),
      );
    }
  }
  return starter;
}

/** Trusts files that are part of Memhall, because compiling every schema would slow down each start. A test checks them. */
export function toStarter(files: StarterFiles): Starter {
  const schemas = new Map<string, RegisteredSchema>();
  for (const file of files.schemas) {
    const { schema_id: schemaId, version, schema, migration = null } = file as Static<typeof SchemaFile>;
    const made = toRegisteredSchema(
      { schemaId, version, schema: schema as Json, migration: migration as Json },
      beginning,
    );
    addOnce(schemas, `${schemaId}\n${version}`, made, `schema ${schemaId} ${version}`);
  }
  const profiles = new Map<string, RegisteredProfile>();
  for (const file of files.profiles) {
    const source = file as ProfileSource & { profile_id: string };
    const profileId = source.profile_id;
    addOnce(profiles, profileId, toRegisteredProfile(profileId, source, beginning), `profile ${profileId}`);
  }
  return { profiles, schemas };
}

function checkShape<S extends TSchema>(shape: S, file: unknown, kind: string): Static<S> {
  if (shapes.validate(shape, file)) return file as Static<S>;
  throw unusable(`a ${kind}`, `${shapes.errorsText()}.`);
}

function addOnce<T>(all: Map<string, T>, name: string, made: T, subject: string): void {
  if (all.has(name)) throw unusable(subject, 'two files define it.');
  all.set(name, made);
}

function checked<T>(subject: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Problem ? unusable(subject, error.message) : error;
  }
}

function unusable(subject: string, reason: string): StartUpError {
  return new StartUpError(`The starter cannot be used: ${subject}: ${reason} Check MEMHALL_STARTER.`);
}

export function toRegisteredProfile(profileId: string, source: object, now: Date): RegisteredProfile {
  const profile = { ...source, profile_id: profileId } as Json;
  return { profileId, profile, etag: digest(profile), createdAt: now, updatedAt: now };
}

export function toRegisteredSchema(schema: Omit<RegisteredSchema, 'hash' | 'createdAt'>, now: Date): RegisteredSchema {
  return { ...schema, hash: digest([schema.schema, schema.migration]), createdAt: now };
}

function digest(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 27);
}
