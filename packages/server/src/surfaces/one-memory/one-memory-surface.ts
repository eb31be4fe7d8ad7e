import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import type { Surface } from '../../http/surface.js';
import { oneMemoryRoutes } from './one-memory-routes.js';

export const oneMemorySurface: Surface<Engine> = {
  name: 'one-memory',
  title: 'One memory',
  routes: oneMemoryRoutes,
  renderProblem,
};
