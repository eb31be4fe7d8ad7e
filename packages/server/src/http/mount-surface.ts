import { performance } from 'node:perf_hooks';
import { Problem, type ProblemCode } from '@memhall/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../engine/caller.js';
import type { LoopMarks } from '../ports/loop-marks.js';
import type { OffTheRecord } from '../ports/off-the-record.js';
import type { TemporaryDirectory } from '../ports/temporary-directory.js';
import type { Identity } from './identity.js';
import { admitBeforeParsing } from './json-body.js';
import { checkSameKey, type KeyGate } from './key-gate.js';
import { isLocal } from './local-peer.js';
import { isLoopbackName } from './loopback.js';
import { offTheRecordHeader, readOffTheRecord } from './off-the-record.js';
import { checkAccess, checkNamed, mayActForOthers, type TokenAccess, toCaller } from './permission.js';
import type { Quotas } from './quotas.js';
import { takeRawBodies } from './raw-bodies.js';
import { readKey } from './read-key.js';
import type { Access, Route, RouteReply, RouteRequest } from './route.js';
import { inTurn } from './shed-load.js';
import type { Surface } from './surface.js';
import type { TokenVerifier } from './token-verifier.js';
import type { TokenlessCallers } from './tokenless-callers.js';
import type { Turns } from './turns.js';
import { takeUploads } from './uploads.js';

declare module 'fastify' {
  interface FastifyRequest {
    identity?: Identity;
  }
  interface FastifyContextConfig {
    operation?: string;
    /** As in the route table, with `{placeholders}`. */
    path?: string;
    faultCodes?: Readonly<Record<string, ProblemCode>>;
    access?: Access;
    /** Renders the errors of the route. */
    surface?: Pick<Surface<never>, 'renderProblem' | 'statusOf'>;
  }
}

export interface Guards {
  tokens: TokenVerifier;
  quotas: Quotas;
  keys: KeyGate;
  /** Decide about `service-or-local` routes; if absent, these always need a token. */
  tokenless?: TokenlessCallers;
  maxUploadBytes: number;
  makeUploadDirectory(): Promise<TemporaryDirectory>;
  marks: LoopMarks;
  /** If absent, every request begins at once. */
  turns?: Turns;
}

interface NamedUser {
  tenant_id?: string;
  user_id?: string;
}

/** Schema of a guarded route that declares no query or body, so that an unexpected one is rejected. */
const nothing = { type: ['object', 'null'], additionalProperties: false };

/** Registers the routes of a surface on a listener. */
export function mountSurface<Services>(
  app: FastifyInstance,
  surface: Surface<Services>,
  services: Services,
  guards: Guards,
): void {
  for (const route of surface.routes) {
    const takeBody = bodyTaker(route, guards);
    if (takeBody === undefined) mountRoute(app, surface, route, services, guards);
    else {
      app.register(async (part) => {
        takeBody(part);
        mountRoute(part, surface, route, services, guards);
      });
    }
  }
  refuseOtherMethods(app, surface);
}

/** Returns what prepares the Fastify scope of a route that takes its body in a way of its own. */
function bodyTaker(route: Route<never>, { keys, ...guards }: Guards): ((part: FastifyInstance) => void) | undefined {
  if (route.upload) {
    return (part) =>
      takeUploads(part, {
        maxBytes: guards.maxUploadBytes,
        makeDirectory: guards.makeUploadDirectory,
        admit: (request, named) => keys.admit(request, named),
      });
  }
  if (route.rawBody) return takeRawBodies;
  if (route.access !== 'key') return undefined;
  const onBody = () => guards.marks.mark(route.operation);
  return (part) => admitBeforeParsing(part, onBody, async (request, bytes) => keys.admit(request, readKey(bytes)));
}

function mountRoute<Services>(
  app: FastifyInstance,
  surface: Surface<Services>,
  route: Route<Services>,
  services: Services,
  guards: Guards,
): void {
  const { params, headers } = route.request;
  const undeclared = route.access === 'open' || route.access === 'local' ? undefined : nothing;
  const query = route.request.query ?? undeclared;
  const body = route.rawBody ? undefined : (route.request.body ?? (route.method === 'GET' ? undefined : undeclared));
  const responses = Object.entries(route.responses);
  const firstStatus = Number(responses[0]?.[0] ?? 200);
  app.route({
    method: route.method,
    url: toFastifyPath(route.path),
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    exposeHeadRoute: answersHead(route),
    config: {
      operation: route.operation,
      path: route.path,
      access: route.access,
      surface,
      alwaysAnswers: route.alwaysAnswers === true,
      ...(route.faultCodes === undefined ? {} : { faultCodes: route.faultCodes }),
    },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(body && { body }),
      response: Object.fromEntries(responses.flatMap(([status, { schema }]) => (schema ? [[status, schema]] : []))),
    },
    onRequest: (request) => admit(request, route, guards),
    async handler(request, reply) {
      const since = performance.now() - reply.elapsedTime;
      guards.marks.mark(route.operation);
      if (route.access === 'key') checkSameKey(request);
      const offTheRecord = readOffTheRecord(request);
      const caller = callerOf(request, route, since, offTheRecord);
      if (caller !== undefined && onlyBodyNamesUser(request, route)) {
        await guards.quotas.consumeUser(caller.tenantId, caller.userId);
      }
      if (route.access === 'service-or-local' && caller === undefined) await consumeTokenlessUser(request, guards);
      const { params, query, headers, body, identity, upload, id: requestId } = request;
      // The schemas above have validated the types that the handler declares.
      const checked = {
        params,
        query,
        headers,
        body,
        identity,
        caller,
        upload,
        bytes: body instanceof Uint8Array ? body : new Uint8Array(),
        requestId,
        since,
        offTheRecord,
      } as unknown as RouteRequest;
      const answer = await inTurn(request, route, guards.turns, () => route.handle(services, checked));
      guards.marks.mark(route.operation);
      return send(reply, firstStatus, toldOffTheRecord(offTheRecord, firstStatus, answer));
    },
  });
}

async function admit(request: FastifyRequest, route: Route<unknown>, guards: Guards): Promise<void> {
  const { tokens, quotas } = guards;
  if (route.access === 'key') return;
  if (route.access === 'service-or-local' && guards.tokenless?.admits(request)) {
    return quotas.consumeTokenless(guards.tokenless.tenantId);
  }
  if (route.access === 'local' && isLocal(request.raw) && isLoopbackName(request.headers.host ?? '')) return;
  if (route.access === 'open') {
    if (request.headers.authorization !== undefined) {
      const identity = await tokens.identify(request.headers.authorization).catch(() => undefined);
      if (identity !== undefined) request.identity = identity;
    }
    return;
  }
  const identity = await tokens.identify(request.headers.authorization);
  request.identity = identity;
  checkAccess(neededToken(route.access), identity);
  const named = namedInUrl(request);
  if (Array.isArray(named.user_id)) throw new Problem('INVALID_REQUEST', 'Send user_id only once.');
  checkNamed(identity, { tenantId: named.tenant_id, userId: named.user_id });
  await quotas.consume(identity, onlyBodyNamesUser(request, route) ? null : (named.user_id ?? identity.userId));
}

function neededToken(access: Exclude<Access, 'open' | 'key'>): TokenAccess {
  if (access === 'local') return 'operator';
  return access === 'service-or-local' ? 'service' : access;
}

async function consumeTokenlessUser(request: FastifyRequest, { tokenless, quotas }: Guards): Promise<void> {
  const { user_id: userId } = request.body as NamedUser;
  if (tokenless !== undefined && userId !== undefined) await quotas.consumeUser(tokenless.tenantId, userId);
}

function namedInUrl(request: FastifyRequest): NamedUser {
  return { ...(request.query as NamedUser), ...(request.params as NamedUser) };
}

/** Returns whether the user of a request is known only once its body has been read. */
function onlyBodyNamesUser(request: FastifyRequest, route: Route<unknown>): boolean {
  const { identity } = request;
  if (identity === undefined || route.request.body === undefined) return false;
  return mayActForOthers(identity) && namedInUrl(request).user_id === undefined;
}

function callerOf(
  request: FastifyRequest,
  route: Route<unknown>,
  since: number,
  offTheRecord: OffTheRecord,
): Caller | undefined {
  const { identity } = request;
  const anonymous = route.access === 'open' || route.access === 'local' || route.access === 'operator';
  if (identity === undefined || anonymous) return undefined;
  const named = (request.body ?? {}) as NamedUser;
  checkNamed(identity, { tenantId: named.tenant_id, userId: named.user_id });
  const userId = route.tenantWide ? '' : (namedInUrl(request).user_id ?? named.user_id);
  return toCaller(identity, { userId, operation: route.operation, requestId: request.id, since, offTheRecord });
}

/** Nothing was created if all of it is off the record. */
function toldOffTheRecord({ unstored }: OffTheRecord, firstStatus: number, answer: RouteReply): RouteReply {
  if (unstored === 'nothing') return answer;
  const { status = firstStatus } = answer;
  const headers = { ...answer.headers, [offTheRecordHeader]: unstored === 'all' ? 'true' : 'partly' };
  return { ...answer, headers, status: status === 201 && unstored === 'all' ? 200 : status };
}

function send(reply: FastifyReply, firstStatus: number, { status, headers, body }: RouteReply): FastifyReply {
  if (headers !== undefined) reply.headers(headers);
  return reply.status(status ?? firstStatus).send(body);
}

/** GET routes also accept HEAD, except event streams: without its body a stream would never end. */
function answersHead({ method, responses }: Route<never>): boolean {
  const isStream = (type: string | undefined) => type === 'text/event-stream';
  const streams = Object.values(responses).some((one) => isStream(one.contentType) || isStream(one.streamType));
  return method === 'GET' && !streams;
}

/** Rejects other methods on known paths with 405, before any other check. */
function refuseOtherMethods(app: FastifyInstance, surface: Surface<never>): void {
  const { routes } = surface;
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes
      .filter((route) => route.path === path)
      .flatMap((route) => (answersHead(route) ? ['GET', 'HEAD'] : [route.method]));
    const allow = allowed.join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toFastifyPath(path),
      config: { surface },
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        throw new Problem('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`);
      },
      handler: async () => undefined,
    });
  }
}

/**
 * `/a/{b}/c:d` → `/a/:b/c::d`: Fastify marks parameters with a colon and escapes a literal colon by doubling it. A
 * parameter directly before a literal colon needs a pattern to end at.
 */
function toFastifyPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replaceAll(/\{(\w+)\}(?=::)/g, ':$1([^]+?)')
    .replaceAll(/\{(\w+)\}/g, ':$1');
}
