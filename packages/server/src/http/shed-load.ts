import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LoadShedder } from './load-shedder.js';
import { overloaded } from './overloaded.js';
import type { Route } from './route.js';
import type { Turns } from './turns.js';

declare module 'fastify' {
  interface FastifyRequest {
    isShed?: boolean;
  }
  interface FastifyContextConfig {
    /** Whether the route answers while load is shed. */
    alwaysAnswers?: boolean;
  }
}

/** Refuses requests before anything else is done for them, while load is shed. */
export function shedLoad(app: FastifyInstance, shedder: LoadShedder): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!shedder.isShedding || request.routeOptions.config?.alwaysAnswers) return done();
    request.isShed = true;
    done(overloaded(shedder.retryAfterSeconds));
  });
}

/** Does the work of a request when it is the turn of its tenant. */
export async function inTurn<Result>(
  request: FastifyRequest,
  route: Pick<Route<never>, 'alwaysAnswers' | 'waitsOutside'>,
  turns: Turns | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (turns === undefined || route.alwaysAnswers || route.waitsOutside) return work();
  let end: () => void;
  try {
    end = await turns.take(request.identity?.tenantId ?? '');
  } catch (error) {
    request.isShed = true;
    throw error;
  }
  try {
    return await work();
  } finally {
    end();
  }
}
