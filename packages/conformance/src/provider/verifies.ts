import type { Case } from '../suite.js';
import type { ProviderProbe } from './provider-probe.js';
import type { ProviderRequirementId } from './provider-requirements.js';

/** A case of one requirement, or of several that cannot be told apart. */
export function verifies(
  ids: ProviderRequirementId | readonly ProviderRequirementId[],
  title: string,
  run: (probe: ProviderProbe) => Promise<void>,
): Case<ProviderProbe> {
  return { title, verifies: typeof ids === 'string' ? [ids] : ids, run };
}
