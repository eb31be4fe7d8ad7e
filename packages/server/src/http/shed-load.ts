import { Problem } from '@memhall/core';
import type { FastifyInstance } from 'fastify';
import type { LoadShedder } from './load-shedder.js';
import type { Metrics } from './metrics.js';

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
export function shedLoad(app: FastifyInstance, shedder: LoadShedder, metrics: Metrics): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!shedder.isShedding || request.routeOptions.config?.alwaysAnswers) return done();
    request.isShed = true;
    metrics.countShed();
    const { retryAfterSeconds } = shedder;
    done(new Problem('UNAVAILABLE', 'The server has too much to do. Try again shortly.', { retryAfterSeconds }));
  });
}
