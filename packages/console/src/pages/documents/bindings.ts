import type { DocumentList, Profile } from '@memhall/client/operations';

export type Binding = Profile['document_bindings'][number];
export type Listed = DocumentList['documents'][number];

/** A profile as the registry lists it: with its id. */
export interface NamedProfile extends Profile {
  profile_id: string;
}

export interface Bound {
  profile: NamedProfile;
  binding: Binding;
}

export function templateOf({ path, path_template }: Binding): string {
  return path ?? path_template ?? '';
}

/** Returns the names of the variables of a path, in order. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Returns whether a binding is for a document. A variable stands for one part of a path, or a piece of it. */
export function isBoundTo(binding: Binding, { namespace, path }: Pick<Listed, 'namespace' | 'path'>): boolean {
  if (binding.namespace !== namespace) return false;
  const parts = templateOf(binding).split(/\{\w+\}/);
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}

/** Returns the binding through which a document is read and written: of the named profile, else of the first that has one. */
export function findBound(
  profiles: readonly NamedProfile[],
  place: Pick<Listed, 'namespace' | 'path'>,
  profileId: string | undefined,
): Bound | undefined {
  const all = profiles.flatMap((profile) =>
    profile.document_bindings
      .filter((binding) => isBoundTo(binding, place))
      .map((binding): Bound => ({ profile, binding })),
  );
  return all.find(({ profile }) => profile.profile_id === profileId) ?? all[0];
}

interface WritablePlace {
  /** Relative to the content. */
  pointer: string;
  isInstructions: boolean;
}

export function writablePlaces({ profile, binding }: Bound): WritablePlace[] {
  const rules = profile.writable_path_rules?.[binding.binding_id];
  if (!Array.isArray(rules)) return [];
  return rules.map((rule: string | { path: string; classification?: string }) =>
    typeof rule === 'string'
      ? { pointer: rule, isInstructions: false }
      : { pointer: rule.path, isInstructions: rule.classification === 'user_instructions' },
  );
}

/** Returns whether a place, relative to the content, is one that a patch may change. The server decides. */
export function isWritable(bound: Bound, pointer: string): boolean {
  const isIn = (place: string, inner: string) => inner === place || inner.startsWith(`${place}/`);
  const denied = bound.binding.deny_paths ?? [];
  return (
    writablePlaces(bound).some((place) => isIn(place.pointer, pointer)) &&
    !denied.some((place) => isIn(place, pointer) || isIn(pointer, place))
  );
}
