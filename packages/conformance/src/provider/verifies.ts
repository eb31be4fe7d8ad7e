import type { Case } from '../suite.js';
import type { ProviderProbe } from './provider-probe.js';
import type { ProviderRequirementId } from './provider-requirements.js';

/** Defines a case for one requirement, or for several that cannot be verified separately. */
export function verifies(
  ids: ProviderRequirementId | readonly ProviderRequirementId[],
  title: string,
  run: (probe: ProviderProbe) => Promise<void>,
): Case<ProviderProbe> {
  return { title, verifies: typeof ids === 'string' ? [ids] : ids, run };
}
