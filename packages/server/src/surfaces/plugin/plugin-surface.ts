import type { Problem, ProblemCode } from '@memhall/core';
import { storeIsDown } from '../../engine/plugin/built-in-plugin.js';
import { within } from '../../engine/within.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { memoryRoutes } from './memory-routes.js';
import { namespaceRoutes } from './namespace-routes.js';
import { Health } from './plugin-schemas.js';
import { callFor, type PluginServices } from './plugin-services.js';

const pluginCodes: Partial<Record<ProblemCode, string>> = {
  NOT_FOUND: 'not_found',
  FORBIDDEN: 'forbidden',
  UNAUTHENTICATED: 'forbidden',
  INTERNAL: 'internal',
  UNAVAILABLE: 'unavailable',
};

/** Memory plugin v1, which has its own listener. */
export const pluginSurface: Surface<PluginServices> = {
  name: 'plugin',
  title: 'Memory plugin v1',
  description: 'Namespaces, and the memories in them.',
  loadExamples: async () => (await import('./plugin-examples.js')).pluginExamples,
  routes: [
    defineRoute({
      operation: 'plugin.health',
      method: 'GET',
      path: '/v1/health',
      summary: 'Get the health and capabilities of the plugin.',
      access: 'open',
      alwaysAnswers: true,
      request: {},
      responses: {
        200: { description: 'The plugin works', schema: Health },
        503: { description: 'The store is down', schema: Health },
      },
      async handle(services: PluginServices) {
        const checking = services.plugin.health(callFor(services, 'plugin.health'));
        // Hosts wait two seconds. A health check must not wait longer than that for a hung store.
        const health = await within(checking).catch(() => storeIsDown);
        return { status: health.status === 'ok' ? 200 : 503, body: health };
      },
    }),
    ...namespaceRoutes,
    ...memoryRoutes,
  ],
  renderProblem(problem: Problem) {
    return {
      code: pluginCodes[problem.code] ?? 'bad_request',
      message: problem.message,
      ...(problem.details === undefined ? {} : { details: problem.details }),
    };
  },
};
