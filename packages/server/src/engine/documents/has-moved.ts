import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import type { Binding, Profile } from './profile.js';

export interface Move {
  binding: Binding;
  from: DocumentPlace;
  to: DocumentPlace;
}

/** Returns the places that a profile reads in the stead of an older one. */
export function movesOf({ bindings }: Profile, from: DocumentPlace): Move[] {
  return bindings.flatMap((binding) =>
    binding.legacyTemplates.flatMap(({ namespace, template }) => {
      const variables = namespace === from.namespace ? template.match(from.path) : undefined;
      const path = variables && binding.template.fill(variables);
      return path === undefined ? [] : [{ binding, from, to: { namespace: binding.namespace, path } }];
    }),
  );
}

/** Returns whether a document was copied to a place that a profile of the tenant reads in its stead. */
export async function hasMoved({ registry }: Engine, tables: Tables, place: DocumentPlace): Promise<boolean> {
  const profiles = await registry.registeredProfiles(tables);
  const moves = profiles
    .flatMap((profile) => movesOf(registry.read(profile), place))
    .filter(({ to }) => to.namespace !== place.namespace || to.path !== place.path);
  const found = await Promise.all(
    moves.map(({ to }) => tables.artifacts.get({ kind: 'document', folder: to.namespace, name: to.path })),
  );
  return found.some((document) => document !== undefined);
}
