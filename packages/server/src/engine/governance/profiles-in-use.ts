import type { ProfileUse, RegisteredProfile } from '../../ports/registry.js';
import type { Tables } from '../../ports/store.js';
import { bindsDocument, type Profile } from '../documents/profile.js';
import type { Engine } from '../engine.js';

/** What all users of a tenant use. Reading it takes long if there are many, so it is read at most once in a run. */
export interface TenantUses {
  uses?: readonly ProfileUse[];
}

/**
 * Returns the profiles that a user's documents and conversations are governed by. If the user has none, those of the
 * whole tenant, which are read once and kept in `tenant`; if the tenant has none, every profile it could use.
 * `tables` must be those of an operator transaction.
 */
export async function profilesInUse(
  engine: Engine,
  tables: Tables,
  userId: string,
  tenant: TenantUses,
): Promise<Profile[]> {
  const registered = await engine.registry.registeredProfiles(tables);
  const among = (uses: readonly ProfileUse[]) =>
    registered.filter((profile) => uses.some((use) => isUsed(engine, registered, profile, use)));
  const ofUser = among(await tables.registry.uses(userId));
  if (ofUser.length === 0) tenant.uses ??= await tables.registry.uses();
  const ofTenant = ofUser.length > 0 ? [] : among(tenant.uses ?? []);
  const used = [ofUser, ofTenant].find((profiles) => profiles.length > 0) ?? registered;
  return used.map((profile) => engine.registry.read(profile));
}

/**
 * A document that no record names a profile for is governed by the profiles with a binding for it. A starter profile
 * counts only if the tenant registered no such profile itself.
 */
function isUsed(
  { registry }: Engine,
  registered: readonly RegisteredProfile[],
  profile: RegisteredProfile,
  use: ProfileUse,
): boolean {
  if (use.profileId !== null) return use.profileId === profile.profileId;
  const binds = (candidate: RegisteredProfile) => bindsDocument(registry.read(candidate), use.document);
  if (!binds(profile)) return false;
  return !registry.isStarter(profile) || !registered.some((other) => !registry.isStarter(other) && binds(other));
}
