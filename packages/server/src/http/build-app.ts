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
import type { LoopMarks } from '../ports/loop-marks.js';
import { BrokenRequests } from './broken-requests.js';
import { closeGracefully } from './close-gracefully.js';
import type { Draining } from './draining.js';
import { readJsonBodies } from './json-body.js';
import type { LoadShedder } from './load-shedder.js';
import { describeError } from './logging.js';
import type { Metrics } from './metrics.js';
import { renderProblem } from './render-problem.js';
import { requestIdOf } from './request-id.js';
import { compileSerializer } from './serialization.js';
import { shedLoad } from './shed-load.js';
import type { Surface } from './surface.js';
import { toHttpProblem } from './to-http-problem.js';
import { compileValidator } from './validation.js';

interface AppOptions {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  marks: LoopMarks;
  /** If absent, no load is shed. */
  shedder?: LoadShedder;
  draining?: Draining;
  requestTimeoutMs: number;
  bodyLimitBytes: number;
}

type ProblemRenderer = Surface<never>['renderProblem'];

/** Builds the Fastify instance of a listener, with everything that does not depend on a surface. */
export function buildApp(options: AppOptions, render: ProblemRenderer = renderProblem): FastifyInstance {
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(disconnected(request) ?? toProblemOf(error, request), request, reply, options, render);
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
      // Node's own error response has no body. The onRequest hook below throws one that has.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => broken.handle(error, socket),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendError(error, request, reply),
  });
  broken.watch(app.server);
  closeGracefully(app, () => options.draining?.hasBegun ?? false);
  // Node silently drops headers beyond a count, and a dropped one could show that the peer is not local.
  app.server.maxHeadersCount = 0;
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.addHook('onRequest', (request, _reply, done) => {
    options.marks.mark(operationOf(request));
    done();
  });
  readJsonBodies(app, (request) => options.marks.mark(operationOf(request)));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw missingPath();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Problem('INVALID_REQUEST', 'The Host header is missing.');
    }
    const fault = findTextFault([request.params, request.query]);
    if (fault !== undefined) throw new Problem('INVALID_REQUEST', `The URL ${fault.message}.`);
  });
  if (options.shedder !== undefined) shedLoad(app, options.shedder);
  // Before a body is read, which anybody may have sent, and after everything that looks at how a request arrives.
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw missingPath();
  });
  app.addHook('onResponse', async (request, reply) => record(request, reply, options));
  return app;
}

function missingPath(): Problem {
  return new Problem('NOT_FOUND', 'This path does not exist. See /openapi.json for all paths.');
}

function toProblemOf(error: unknown, request: FastifyRequest): Problem {
  const { config, bodyLimit: bodyLimitBytes } = request.routeOptions;
  return toHttpProblem(error, { faultCodes: config?.faultCodes, ...(bodyLimitBytes && { bodyLimitBytes }) });
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
  if (request.isShed) metrics.countShed();
  // Shedding load is logged once. A line for each refused request would be more work.
  if (status >= 500 && !request.isShed) {
    logger.error(
      { request_id: request.id, operation: operationOf(request), error: describeError(problem.cause ?? problem) },
      'request failed',
    );
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  if (problem.code === 'UNAUTHENTICATED' && access !== 'key') reply.header('www-authenticate', 'Bearer');
  // Fastify closes the connection after a body it rejects. A client that is still sending would see a reset.
  reply.removeHeader('connection');
  return reply
    .status(status)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send((surface?.renderProblem ?? render)(problem, request.id));
}

/** Logs the operation, not the URL: a URL may contain data that does not belong in a log. */
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

/** A client that disconnects in the middle of a request reads no response. It must not be logged as a server error. */
function disconnected({ raw }: FastifyRequest): Problem | undefined {
  if (!raw.destroyed || raw.complete) return undefined;
  return new Problem('INVALID_REQUEST', 'The connection closed before the request was complete.');
}
