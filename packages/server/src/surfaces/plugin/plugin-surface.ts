import type { Problem, ProblemCode } from '@memhall/core';
import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';

const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  version: Type.String(),
  capabilities: Type.Array(Type.String(), { description: 'Only what works right now' }),
});

const pluginCodes: Partial<Record<ProblemCode, string>> = {
  NOT_FOUND: 'not_found',
  FORBIDDEN: 'forbidden',
  UNAUTHENTICATED: 'forbidden',
  INTERNAL: 'internal',
  UNAVAILABLE: 'unavailable',
};

/** Memory plugin v1, on a listener of its own. */
export const pluginSurface: Surface<Engine> = {
  name: 'plugin',
  title: 'Memory plugin v1',
  routes: [
    defineRoute({
      operation: 'plugin.health',
      method: 'GET',
      path: '/v1/health',
      summary: 'Whether the plugin works, and what it can do',
      access: 'open',
      request: {},
      responses: {
        200: { description: 'It works', schema: Health },
        503: { description: 'The store is down', schema: Health },
      },
      async handle(engine: Engine) {
        const working = await engine.store.ping().then(
          () => true,
          () => false,
        );
        const body = { status: working ? 'ok' : 'degraded', version: '1', capabilities: [] };
        return { status: working ? 200 : 503, body };
      },
    }),
  ],
  renderProblem(problem: Problem) {
    return {
      code: pluginCodes[problem.code] ?? 'bad_request',
      message: problem.message,
      ...(problem.details === undefined ? {} : { details: problem.details }),
    };
  },
};
