import { useActing, useAsk } from '../../api/api.js';
import type { NamedProfile } from './bindings.js';

/** Asks for the profiles of the tenant, the starter's last. */
export function useProfiles() {
  const { tenantId } = useActing();
  const asked = useAsk('profiles.list', { path: { tenant_id: tenantId } });
  return { ...asked, profiles: asked.data?.profiles as NamedProfile[] | undefined };
}
