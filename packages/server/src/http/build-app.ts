import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
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
import { readJsonBodies } from './json-body.js';
import { describeError } from './logging.js';
import type { Metrics } from './metrics.js';
import { renderProblem } from './render-problem.js';
import { requestIdOf } from './request-id.js';
import type { Surface } from './surface.js';
import { toHttpProblem } from './to-http-problem.js';
import { createValidatorCompiler } from './validation.js';

export interface AppOptions {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  requestTimeoutMs: number;
  bodyLimitBytes: number;
}

type ProblemRenderer = Surface<never>['renderProblem'];

/** A listener's Fastify instance, with everything in place that does not depend on a surface. */
export function buildApp(options: AppOptions, render: ProblemRenderer = renderProblem): FastifyInstance {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(toHttpProblem(error), request, reply, options, render);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024 },
    http: { headersTimeout: Math.min(options.requestTimeoutMs, 30_000), connectionsCheckingInterval: 1000 },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, render),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answer(error, request, reply),
  });
  app.setValidatorCompiler(createValidatorCompiler());
  readJsonBodies(app);
  app.setErrorHandler(answer);
  app.setNotFoundHandler(() => {
    throw new Problem('NOT_FOUND', 'There is nothing at this path: /openapi.json lists what there is.');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    const fault = findTextFault([request.params, request.query]);
    if (fault !== undefined) throw new Problem('INVALID_REQUEST', `The URL ${fault.message}.`);
  });
  app.addHook('onResponse', async (request, reply) => record(request, reply, options));
  return app;
}

function sendProblem(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, metrics }: AppOptions,
  render: ProblemRenderer,
): FastifyReply {
  metrics.countProblem(problem.code);
  if (problem.status >= 500) {
    logger.error(
      { request_id: request.id, operation: operationOf(request), error: describeError(problem.cause ?? problem) },
      'request failed',
    );
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  if (problem.code === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
  if (problem.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection');
  return reply
    .status(problem.status)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(render(problem, request.id));
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

/** Requests that never became one: malformed, oversized headers, too slow. The socket is all there is to answer on. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, render: ProblemRenderer): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = brokenRequests[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify(render(new Problem('INVALID_REQUEST', message), ''));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const brokenRequests: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};
