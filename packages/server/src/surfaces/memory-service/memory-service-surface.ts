import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { episodicRoutes } from './episodic-routes.js';
import { planRoutes } from './plan-routes.js';
import { proceduralRoutes } from './procedural-routes.js';
import { semanticRoutes } from './semantic-routes.js';
import { sessionRoutes } from './session-routes.js';
import { taskContextRoutes } from './task-context-routes.js';
import { workingRoutes } from './working-routes.js';

export const memoryServiceSurface: Surface<Engine> = {
  name: 'memory-service',
  title: 'Memory service',
  description: 'Knowledge, conversations and procedures by kind; working memory, tasks, plans and sessions.',
  loadExamples: async () => (await import('./examples/memory-service-examples.js')).memoryServiceExamples,
  routes: [
    ...semanticRoutes,
    ...episodicRoutes,
    ...proceduralRoutes,
    ...workingRoutes,
    ...taskContextRoutes,
    ...planRoutes,
    ...sessionRoutes,
  ],
  renderProblem,
};
