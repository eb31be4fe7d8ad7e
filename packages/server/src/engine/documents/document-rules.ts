import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { lastProfile } from './last-profile.js';
import type { Binding, Profile } from './profile.js';

/** The profile that a document is written with, and its binding for the document. */
export interface DocumentRules {
  profile: Profile;
  binding: Binding;
}

/**
 * Returns the rules that a stored document was last written by. If its profile is unknown or no longer has a binding for it,
 * any other profile of the tenant that has one takes its place; undefined if there is none.
 */
export async function rulesOf(
  { registry }: Pick<Engine, 'registry'>,
  tables: Tables,
  place: DocumentPlace,
): Promise<DocumentRules | undefined> {
  const [lastId, registered] = await Promise.all([lastProfile(tables, place), registry.registeredProfiles(tables)]);
  const profiles = registered.map((one) => registry.read(one));
  const first = profiles.filter(({ profileId }) => profileId === lastId);
  for (const profile of [...first, ...profiles]) {
    const binding = profile.bindings.find(
      ({ namespace, template }) => namespace === place.namespace && template.match(place.path) !== undefined,
    );
    if (binding !== undefined) return { profile, binding };
  }
  return undefined;
}
