import { type Logger, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { signToken, type TokenRequest } from '../../src/cli/sign-token.js';
import { tokenSecret } from '../../src/composition/token-verifier.js';
import { startServer } from '../../src/main.js';
import type { RunningServer } from '../../src/running-server.js';
import type { TestDatabase } from './databases.js';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not typed
  body: any;
}

export interface Call {
  method?: string;
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  token?: string;
  signal?: AbortSignal;
}

export interface TestServer extends RunningServer {
  token(request?: Partial<TokenRequest>): Promise<string>;
  call(call: Call): Promise<Answer>;
}

/** Starts a real server on real ports. Calls without a token use one for tenant t1, user u1. */
export async function startTestServer(
  database: TestDatabase,
  settings: Record<string, string> = {},
  logger: Logger = pino({ level: 'silent' }),
): Promise<TestServer> {
  const config = database.config(settings);
  const server = await startServer(config, logger);
  const secret = await tokenSecret(config);
  const token = (request: Partial<TokenRequest> = {}) =>
    signToken(secret ?? '', { tenant: 't1', user: 'u1', ttlSeconds: 600, ...request });
  const own = await token();
  return { ...server, token, call: (call) => send(server.url, { token: own, ...call }) };
}

export async function send(
  url: string,
  { method = 'GET', path, body, headers = {}, token, signal }: Call,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Starts a server before a suite's tests and stops it after them. */
export function useServer(
  database: () => TestDatabase,
  settings: Record<string, string> | (() => Record<string, string>) = {},
): () => TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(database(), typeof settings === 'function' ? settings() : settings);
  });
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) throw new Error('the server is there only while tests run');
    return server;
  };
}
