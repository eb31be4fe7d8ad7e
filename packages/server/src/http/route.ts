import type { ProblemCode } from '@memhall/core';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../engine/caller.js';
import type { Identity } from './identity.js';
import type { Upload } from './uploads.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route. `open`: anybody, a valid token adds to the answer. `local`: operators, or anybody on this
 * machine. `key`: whoever has the user's key, which the body names with its user. `service-or-local`: as `service`; where the
 * database is embedded, also anybody on this machine who sends no token. The others need a token: `user` any, for its own user's data or, with role service or admin, another's.
 */
export type Access =
  | 'open'
  | 'local'
  | 'key'
  | 'service-or-local'
  | 'user'
  | 'service'
  | 'admin'
  | 'operator'
  | 'operator-or-admin';

export interface RouteSchemas {
  params?: TSchema;
  query?: TSchema;
  headers?: TSchema;
  body?: TSchema;
}

export interface RouteResponse {
  description: string;
  schema?: TSchema;
  /** Media type when it is not JSON. */
  contentType?: string;
  /** Response headers worth documenting: name → description. */
  headers?: Record<string, string>;
}

type Part<S extends RouteSchemas, K extends keyof RouteSchemas> = S[K] extends TSchema ? Static<S[K]> : undefined;

export interface RouteRequest<S extends RouteSchemas = RouteSchemas> {
  params: Part<S, 'params'>;
  query: Part<S, 'query'>;
  headers: Part<S, 'headers'>;
  body: Part<S, 'body'>;
  /** Present on every route but `open` and `local` ones, and on `service-or-local` ones with a token. */
  caller: Caller;
  identity: Identity | undefined;
  /** Present on routes that take one. */
  upload: Upload;
  requestId: string;
  /** When the request came in, by `performance.now()`. */
  since: number;
}

export interface RouteReply {
  /** The route's first response when absent. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** One line of a surface's table. Everything else (validation, permission, OpenAPI, metrics, the client) follows from it. */
export interface RouteDefinition<Services, S extends RouteSchemas> {
  /** `area.verb`, unique: names the operation in logs, traces, metrics, quotas, audit, OpenAPI and the client. */
  operation: string;
  method: Method;
  /** OpenAPI style, such as `/v1/things/{thing_id}`. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** Whether it concerns the tenant as a whole: the token need not name a user, and the caller has none (''). */
  tenantWide?: boolean;
  /** Where its body may be larger than others. */
  bodyLimitBytes?: number;
  request: S;
  responses: Record<number, RouteResponse>;
  /** Whether it takes a form with one file, whose other fields are the body. */
  upload?: boolean;
  /** Codes beyond those any route of its kind can give. */
  problems?: readonly ProblemCode[];
  /** Codes for faults in parts of the body, by the member they begin at, where the contract has others than INVALID_REQUEST. */
  faultCodes?: Readonly<Record<string, ProblemCode>>;
  handle(services: Services, request: RouteRequest<S>): Promise<RouteReply>;
}

// Routes of one table differ in their schemas; only `defineRoute` sees them precisely.
// biome-ignore lint/suspicious/noExplicitAny: a handler takes exactly what its own schemas let through
export type Route<Services> = RouteDefinition<Services, any>;

export function defineRoute<Services, const S extends RouteSchemas>(
  route: RouteDefinition<Services, S>,
): Route<Services> {
  return route;
}
