import type { Case } from '../suite.js';
import type { PluginProbe } from './plugin-probe.js';
import type { PluginRequirementId } from './plugin-requirements.js';

/** Defines a case for one requirement, or for several that cannot be verified separately. */
export function verifies(
  ids: PluginRequirementId | readonly PluginRequirementId[],
  title: string,
  run: (probe: PluginProbe) => Promise<void>,
): Case<PluginProbe> {
  return { title, verifies: typeof ids === 'string' ? [ids] : ids, run };
}
