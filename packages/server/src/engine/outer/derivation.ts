import { restoreResources } from '../resources/restore-resources.js';
import { deriveRows } from './derive-rows.js';
import type { Derivation } from './outer-artifacts.js';

export const derivation: Derivation = { rows: deriveRows, resources: restoreResources };
