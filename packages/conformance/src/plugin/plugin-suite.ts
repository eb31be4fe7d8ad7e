import type { Suite } from '../suite.js';
import { embeddingCases } from './cases/embedding-cases.js';
import { errorCases } from './cases/error-cases.js';
import { expiryCases } from './cases/expiry-cases.js';
import { forgetCases } from './cases/forget-cases.js';
import { healthCases } from './cases/health-cases.js';
import { hostileCases } from './cases/hostile-cases.js';
import { memoryCases } from './cases/memory-cases.js';
import { nameCases } from './cases/name-cases.js';
import { namespaceCases } from './cases/namespace-cases.js';
import { parallelCases } from './cases/parallel-cases.js';
import { pinCases } from './cases/pin-cases.js';
import { propagationCases } from './cases/propagation-cases.js';
import { searchCases } from './cases/search-cases.js';
import { tokenCases } from './cases/token-cases.js';
import { wordCases } from './cases/word-cases.js';
import type { PluginProbe } from './plugin-probe.js';
import { pluginGroups, pluginRequirements } from './plugin-requirements.js';
import { connectToPlugin } from './plugin-session.js';
import type { PluginTarget } from './plugin-target.js';

export const pluginSuite: Suite<PluginTarget, PluginProbe> = {
  name: 'plugin',
  title: 'Memory plugin v1',
  groups: pluginGroups,
  requirements: pluginRequirements,
  // Those that wait for something to expire begin first, so that the others fill their time.
  cases: [
    ...expiryCases,
    ...healthCases,
    ...nameCases,
    ...namespaceCases,
    ...memoryCases,
    ...searchCases,
    ...wordCases,
    ...embeddingCases,
    ...pinCases,
    ...propagationCases,
    ...forgetCases,
    ...errorCases,
    ...tokenCases,
    ...parallelCases,
    ...hostileCases,
  ],
  connect: connectToPlugin,
};
