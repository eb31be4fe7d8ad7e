import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { episodicRoutes } from './episodic-routes.js';
import { proceduralRoutes } from './procedural-routes.js';
import { semanticRoutes } from './semantic-routes.js';
import { workingRoutes } from './working-routes.js';

export const memoryServiceSurface: Surface<Engine> = {
  name: 'memory-service',
  title: 'Memory service',
  routes: [...semanticRoutes, ...episodicRoutes, ...proceduralRoutes, ...workingRoutes],
  renderProblem,
};
