import type { Suite } from '../suite.js';
import { forgetCases } from './cases/forget-cases.js';
import { interfaceCases } from './cases/interface-cases.js';
import { readCases } from './cases/read-cases.js';
import { recallCases } from './cases/recall-cases.js';
import { retainCases } from './cases/retain-cases.js';
import { scanCases } from './cases/scan-cases.js';
import { tierCases } from './cases/tier-cases.js';
import { troubleCases } from './cases/trouble-cases.js';
import type { ProviderProbe } from './provider-probe.js';
import { providerGroups, providerRequirements } from './provider-requirements.js';
import { connectToProvider } from './provider-session.js';
import type { ProviderTarget } from './provider-target.js';

export const providerSuite: Suite<ProviderTarget, ProviderProbe> = {
  name: 'provider',
  title: 'Provider v1',
  groups: providerGroups,
  requirements: providerRequirements,
  cases: [
    ...interfaceCases,
    ...retainCases,
    ...tierCases,
    ...recallCases,
    ...readCases,
    ...forgetCases,
    ...scanCases,
    ...troubleCases,
  ],
  connect: connectToProvider,
};
