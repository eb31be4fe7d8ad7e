import type { Case } from './case.js';
import { durabilityCases } from './durability-cases.js';
import { erasureCases } from './erasure-cases.js';
import { isolationCases } from './isolation-cases.js';
import { poisoningCases } from './poisoning-cases.js';
import { recallCases } from './recall-cases.js';
import { staleCases } from './stale-cases.js';
import { timeCases } from './time-cases.js';
import { updatesCases } from './updates-cases.js';

/** In the order of the table. */
export const allCases: readonly Case[] = [
  ...isolationCases,
  ...updatesCases,
  ...durabilityCases,
  ...erasureCases,
  ...timeCases,
  ...staleCases,
  ...poisoningCases,
  ...recallCases,
];
