import { formatPointer, jsonEqual } from '@memhall/core';
import type { RegisteredProfile } from '../../ports/registry.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { requireSchema } from './document-registry.js';
import { type Binding, type Profile, toProfile } from './profile.js';
import type { ProfileSource } from './profile-shape.js';
import { toRegisteredProfile } from './starter.js';

/**
 * Registers a profile or replaces the one of the same name.
 * Throws ETAG_MISMATCH, INVALID_REQUEST, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED.
 */
export function registerProfile(
  engine: Engine,
  caller: Caller,
  input: { profileId: string; source: ProfileSource; precondition: Precondition },
): Promise<{ profile: RegisteredProfile; isNew: boolean }> {
  const { profileId, source } = input;
  const profile = toProfile(profileId, source);
  return mutateTenant(engine, caller, async (tables, now, slow) => {
    const present = await tables.registry.profile(profileId);
    checkPrecondition(input.precondition, engine.registry.find(profileId, present)?.etag);
    for (const binding of profile.bindings) {
      const { schemaId, schemaVersion, initial } = binding;
      const schema = await engine.registry.schema(tables, caller.tenantId, schemaId, schemaVersion);
      engine.registry.schemas.validate(slow, requireSchema(schema, binding), initial);
    }
    const made = toRegisteredProfile(profileId, source, now);
    if (present?.etag === made.etag) return { result: { profile: present, isNew: false }, mutations: [] };
    const next = { ...made, createdAt: present?.createdAt ?? now };
    tables.registry.putProfile(next);
    const before = engine.registry.find(profileId, present);
    const changed = before === undefined ? [] : newlyDenied(engine.registry.read(before), profile);
    if (changed.length > 0) tables.artifacts.unfollow(changed);
    const mutation = {
      target: `profiles/${profileId}`,
      preEtag: present?.etag ?? null,
      postEtag: made.etag,
      contentHash: made.etag,
    };
    return { result: { profile: next, isNew: present === undefined }, mutations: [mutation] };
  });
}

/** Returns the namespaces in which other paths are denied than before: what is derived from their documents may have to go. */
function newlyDenied(before: Profile, after: Profile): string[] {
  const missingFrom = (other: Profile, { bindings }: Profile) =>
    bindings.filter((binding) => !other.bindings.some((one) => deniesTheSame(one, binding)));
  const differing = [...missingFrom(before, after), ...missingFrom(after, before)];
  return [...new Set(differing.map(({ namespace }) => namespace))];
}

function deniesTheSame(one: Binding, other: Binding): boolean {
  const denied = ({ denied }: Binding) => denied.map(formatPointer).sort();
  const isSamePlace = one.namespace === other.namespace && one.template.text === other.template.text;
  return isSamePlace && jsonEqual(denied(one), denied(other));
}
