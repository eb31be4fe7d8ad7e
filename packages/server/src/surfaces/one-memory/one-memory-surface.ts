import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { changeRoutes } from './change-routes.js';
import { factRoutes } from './fact-routes.js';
import { offTheRecordRoutes } from './off-the-record-routes.js';
import { oneMemoryRoutes } from './one-memory-routes.js';
import { sourceRoutes } from './source-routes.js';
import { subjectRoutes } from './subject-routes.js';
import { userSettingsRoutes } from './user-settings-routes.js';
import { webhookRoutes } from './webhook-routes.js';

export const oneMemorySurface: Surface<Engine> = {
  name: 'one-memory',
  title: 'One memory',
  description:
    'Start here: remember, recall, correct and forget, over everything a caller may read; facts and subjects; changes.',
  loadExamples: async () => (await import('./examples/one-memory-examples.js')).oneMemoryExamples,
  routes: [
    ...oneMemoryRoutes,
    ...factRoutes,
    ...subjectRoutes,
    ...sourceRoutes,
    ...offTheRecordRoutes,
    ...changeRoutes,
    ...webhookRoutes,
    ...userSettingsRoutes,
  ],
  renderProblem,
};
