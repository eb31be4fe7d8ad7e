import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Type } from 'typebox';
import type { HostCaller } from '../../engine/host/host.js';
import { toMember } from '../../engine/one-memory/member.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute, type RouteReply, type RouteRequest } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { onBehalfOf } from '../../http/wire-schemas.js';
import { JsonRpcBody } from './json-rpc-body.js';
import type { McpServices } from './mcp-requests.js';
import type { OpenStreams } from './open-streams.js';
import { findMissingScope, type Protection } from './protection.js';
import type { RevocableRequests } from './revocable-requests.js';
import type { RunningRequests } from './running-requests.js';

export interface McpHttpServices extends McpServices {
  version: string;
  running: RunningRequests;
  streams: OpenStreams;
  revocable: RevocableRequests;
  /** Undefined if tokens come from Memhall alone. */
  protection: Protection | undefined;
}

const sessionHeader = 'mcp-session-id';
/** Headers that the MCP library reads, in addition to Accept. */
const protocolHeaders = ['content-type', 'mcp-protocol-version'] as const;
const everyForm = 'application/json, text/event-stream';
const query = Type.Object(onBehalfOf, { additionalProperties: false });
const headers = Type.Object({
  accept: Type.Optional(Type.String()),
  'content-type': Type.Optional(Type.String()),
  'mcp-protocol-version': Type.Optional(Type.String({ maxLength: 64 })),
  [sessionHeader]: Type.Optional(Type.String({ pattern: '^[!-~]{1,128}$' })),
});

/** Loaded with the first request: the library is large, and many servers never use MCP. */
async function loadProtocol() {
  const [{ WebStandardStreamableHTTPServerTransport: Transport }, { buildMcpServer }, { toMcpRequests }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('./build-mcp-server.js'),
      import('./mcp-requests.js'),
    ]);
  const serve = (services: McpHttpServices, caller: HostCaller) => {
    const requests = toMcpRequests(services, (operation) => ({ ...caller, operation }));
    return buildMcpServer(services.version, async () => requests);
  };
  return { serve, Transport };
}

/**
 * The Model Context Protocol over streamable HTTP. The server is stateless between requests, so several servers can
 * share the load. A session id only distinguishes the requests of different clients, so that they can be cancelled.
 */
export const mcpSurface: Surface<McpHttpServices> = {
  name: 'mcp',
  title: 'Model Context Protocol',
  description: 'The Model Context Protocol, for clients that speak it.',
  loadExamples: async () => (await import('./mcp-examples.js')).mcpExamples,
  routes: [
    defineRoute({
      operation: 'mcp.post',
      method: 'POST',
      path: '/mcp',
      summary: 'Send a Model Context Protocol message.',
      access: 'user',
      request: { query, headers, body: Type.Unsafe<unknown>({ description: 'JSON-RPC 2.0' }) },
      responses: { 200: { description: 'The response as JSON or, if progress was requested, as an event stream' } },
      async handle(services: McpHttpServices, request) {
        const { serve, Transport } = await loadProtocol();
        const caller = toHostCaller(request);
        const body = new JsonRpcBody(request.body);
        const refusal = findRefusal(services, request, body);
        if (refusal !== undefined) return refusal;
        const session = request.headers[sessionHeader] ?? '';
        const sender = [caller.tenantId, caller.userId, session];
        services.running.cancel(sender, body.cancelledId);
        const server = serve(services, caller);
        const transport = new Transport({ enableJsonResponse: !body.wantsProgress });
        await server.connect(transport);
        const cancelled = new Promise<Response>((done) => {
          server.onclose = () => done(new Response(null, { status: 202 }));
        });
        const release = both(
          services.running.add(sender, body.requestId, () => void server.close()),
          revocable(services, request, server),
        );
        const handled = transport.handleRequest(toWebRequest('POST', request.headers), { parsedBody: request.body });
        const reply = await toReply(await Promise.race([handled, cancelled]), release);
        return body.opensSession ? { ...reply, headers: { ...reply.headers, [sessionHeader]: randomUUID() } } : reply;
      },
    }),
    defineRoute({
      operation: 'mcp.listen',
      method: 'GET',
      path: '/mcp',
      summary: 'Listen for changes to the list of tools.',
      access: 'user',
      request: { query, headers },
      responses: { 200: { description: 'Event stream', contentType: 'text/event-stream' } },
      async handle(services: McpHttpServices, request) {
        const { serve, Transport } = await loadProtocol();
        const caller = toHostCaller(request);
        const server = serve(services, caller);
        const transport = new Transport();
        await server.connect(transport);
        const release = both(
          services.streams.add(caller.tenantId, caller.userId, server),
          revocable(services, request, server),
        );
        return toReply(await transport.handleRequest(toWebRequest('GET', request.headers)), release);
      },
    }),
  ],
  renderProblem,
};

function toHostCaller({ caller, identity }: RouteRequest): HostCaller {
  if (identity === undefined) throw new Error('a guarded route without an identity');
  return toMember(caller, identity.claims);
}

/** Returns the response to a token that lacks a scope. */
function findRefusal(
  { protection }: McpHttpServices,
  { identity, requestId }: RouteRequest,
  body: JsonRpcBody,
): RouteReply | undefined {
  const missing = protection && identity && findMissingScope(protection, identity, body);
  if (missing === undefined) return undefined;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'www-authenticate': missing.challenge };
  return { status: 403, headers, body: JSON.stringify(renderProblem(missing.problem, requestId)) };
}

/** Ends the response when the token of the request is revoked. Returns a function that stops that. */
function revocable(
  services: McpHttpServices,
  { identity }: RouteRequest,
  server: { close(): Promise<void> },
): () => void {
  if (identity === undefined) throw new Error('a guarded route without an identity');
  return services.revocable.add(identity, () => void server.close());
}

function both(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}

/** Built without a body, because that has already been parsed and checked. */
function toWebRequest(method: 'GET' | 'POST', given: Readonly<Record<string, unknown>>): Request {
  const accept = typeof given.accept === 'string' ? given.accept : '*/*';
  // The library requires both media types by name; */* includes them.
  const headers = new Headers({ accept: accept.includes('*/*') ? everyForm : accept });
  for (const name of protocolHeaders) if (typeof given[name] === 'string') headers.set(name, given[name]);
  return new Request('http://localhost/mcp', { method, headers });
}

async function toReply(response: Response, release: () => void): Promise<RouteReply> {
  const { status, body } = response;
  const contentType = response.headers.get('content-type');
  if (body === null || contentType === null) {
    release();
    return { status };
  }
  const headers = { 'content-type': contentType };
  if (!contentType.startsWith('text/event-stream')) {
    release();
    return { status, headers, body: await response.text() };
  }
  const stream = Readable.fromWeb(body as ReadableStream).once('close', release);
  // The headers are sent with the first bytes, and the library has none until something happens.
  stream.unshift(': open\n\n');
  return { status, headers: { ...headers, 'x-accel-buffering': 'no' }, body: stream };
}
