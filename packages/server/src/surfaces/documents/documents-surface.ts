import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { documentRoutes } from './document-routes.js';
import { registryRoutes } from './registry-routes.js';

export const documentsSurface: Surface<Engine> = {
  name: 'documents',
  title: 'Governed documents',
  routes: [...registryRoutes, ...documentRoutes],
  renderProblem,
};
