import { findTextFault, Problem } from '@memhall/core';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { BrokenRequests } from './broken-requests.js';
import { closeGracefully } from './close-gracefully.js';
import { readJsonBodies } from './json-body.js';
import { describeError } from './logging.js';
import type { Metrics } from './metrics.js';
import { renderProblem } from './render-problem.js';
import { requestIdOf } from './request-id.js';
import { compileSerializer } from './serialization.js';
import type { Surface } from './surface.js';
import { toHttpProblem } from './to-http-problem.js';
import { compileValidator } from './validation.js';

interface AppOptions {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  requestTimeoutMs: number;
  bodyLimitBytes: number;
}

type ProblemRenderer = Surface<never>['renderProblem'];

/** A listener's Fastify instance, with everything in place that does not depend on a surface. */
export function buildApp(options: AppOptions, render: ProblemRenderer = renderProblem): FastifyInstance {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(brokeOff(request) ?? toProblemOf(error, request), request, reply, options, render);
  const broken = new BrokenRequests(options.logger, render);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    http: {
      headersTimeout: Math.min(options.requestTimeoutMs, 30_000),
      connectionsCheckingInterval: 1000,
      // Node's own refusal has no body; ours below has.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answer(error, request, reply),
  });
  broken.watch(app.server);
  closeGracefully(app);
  // Node drops headers past a number without a word: one of them may say that the peer is not local.
  app.server.maxHeadersCount = 0;
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  readJsonBodies(app);
  app.setErrorHandler(answer);
  app.setNotFoundHandler(() => {
    throw new Problem('NOT_FOUND', 'There is nothing at this path: /openapi.json lists what there is.');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Problem('INVALID_REQUEST', 'The request has no Host header.');
    }
    const fault = findTextFault([request.params, request.query]);
    if (fault !== undefined) throw new Problem('INVALID_REQUEST', `The URL ${fault.message}.`);
  });
  app.addHook('onResponse', async (request, reply) => record(request, reply, options));
  return app;
}

function toProblemOf(error: unknown, request: FastifyRequest): Problem {
  return toHttpProblem(error, request.routeOptions.config?.faultCodes);
}

function sendProblem(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, metrics }: AppOptions,
  render: ProblemRenderer,
): FastifyReply {
  const { surface, access } = request.routeOptions.config ?? {};
  const status = surface?.statusOf?.(problem) ?? problem.status;
  metrics.countProblem(problem.code);
  if (status >= 500) {
    logger.error(
      { request_id: request.id, operation: operationOf(request), error: describeError(problem.cause ?? problem) },
      'request failed',
    );
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  if (problem.code === 'UNAUTHENTICATED' && access !== 'key') reply.header('www-authenticate', 'Bearer');
  // Fastify would close the connection after any body it does not take: a client still sending would see a reset.
  reply.removeHeader('connection');
  return reply
    .status(status)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send((surface?.renderProblem ?? render)(problem, request.id));
}

/** Names the operation only: a URL may hold what does not belong into a log. */
function record(request: FastifyRequest, reply: FastifyReply, { logger, metrics }: AppOptions): void {
  const operation = operationOf(request);
  metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
  logger.info(
    {
      request_id: request.id,
      operation,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      ...(request.identity === undefined ? {} : { tenant_id: request.identity.tenantId }),
    },
    'request',
  );
}

export function operationOf(request: FastifyRequest): string {
  return request.routeOptions.config?.operation ?? 'none';
}

/** Whoever gave up in the middle of a request reads no answer; the log should not call it our failure. */
function brokeOff({ raw }: FastifyRequest): Problem | undefined {
  if (!raw.destroyed || raw.complete) return undefined;
  return new Problem('INVALID_REQUEST', 'The request broke off before its end.');
}
