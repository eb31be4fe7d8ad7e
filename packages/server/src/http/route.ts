import type { Json, ProblemCode } from '@memhall/core';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../engine/caller.js';
import type { OffTheRecord } from '../ports/off-the-record.js';
import type { Identity } from './identity.js';
import type { Upload } from './uploads.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route.
 * - `open`: everyone; a valid token adds to the response.
 * - `local`: callers on this machine, and tokens with the role operator.
 * - `key`: callers whose body has a user and that user's key.
 * - `service-or-local`: like `service`; with the embedded database also callers on this machine without a token.
 * - `user`: any token except one that has only the role operator, for the data of its own user; with the role service
 *   or admin, also of other users.
 * - `service`, `admin`, `operator`, `operator-or-admin`: tokens with one of these roles; admin includes service.
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

interface RouteSchemas {
  params?: TSchema;
  query?: TSchema;
  headers?: TSchema;
  body?: TSchema;
}

export interface RouteResponse {
  description: string;
  schema?: TSchema;
  /** Media type if it is not JSON. */
  contentType?: string;
  /** Media type of a stream that is sent instead to clients that accept it. */
  streamType?: string;
  /** Documented response headers: name → description. */
  headers?: Record<string, string>;
}

type Part<S extends RouteSchemas, K extends keyof RouteSchemas> = S[K] extends TSchema ? Static<S[K]> : undefined;

export interface RouteRequest<S extends RouteSchemas = RouteSchemas> {
  params: Part<S, 'params'>;
  query: Part<S, 'query'>;
  headers: Part<S, 'headers'>;
  body: Part<S, 'body'>;
  /** Absent on `open`, `local` and `operator` routes, and on `service-or-local` routes if no token was sent. */
  caller: Caller;
  identity: Identity | undefined;
  /** Present on routes with `upload`. */
  upload: Upload;
  /** Present on routes with `rawBody`, on which `body` is absent. */
  bytes: Uint8Array;
  requestId: string;
  /** When the request arrived, as `performance.now()`. */
  since: number;
  /** The same as the caller's; for routes without one. */
  offTheRecord: OffTheRecord;
}

export interface RouteReply {
  /** Default: the first of the route's `responses`. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** One route of a surface. Validation, permissions, OpenAPI, metrics and the client are all derived from it. */
interface RouteDefinition<Services, S extends RouteSchemas> {
  /** Unique name such as `area.verb`, used in logs, traces, metrics, audit records, OpenAPI and the client. */
  operation: string;
  method: Method;
  /** OpenAPI style, such as `/v1/things/{thing_id}`. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** Whether the route concerns the whole tenant: the token need not name a user, and the caller's user is ''. */
  tenantWide?: boolean;
  /** Overrides the default body limit. */
  bodyLimitBytes?: number;
  request: S;
  responses: Record<number, RouteResponse>;
  /** Whether the request is a form with one file. The other fields of the form become the body. */
  upload?: boolean;
  /**
   * Whether the handler parses and checks the body itself, in a thread: a large one would make others wait. The schema of the body
   * is then only documentation.
   */
  rawBody?: boolean;
  /** Whether the route also answers while load is shed: what watches the service must see it. */
  alwaysAnswers?: boolean;
  /** Whether the route mostly waits for another service: it then takes no turn from others. */
  waitsOutside?: boolean;
  /** Problem codes in addition to those implied by the request schemas and the access. */
  problems?: readonly ProblemCode[];
  /**
   * Problem codes for validation faults by top-level member of the body, where the contract does not use
   * INVALID_REQUEST.
   */
  faultCodes?: Readonly<Record<string, ProblemCode>>;
  handle(services: Services, request: RouteRequest<S>): Promise<RouteReply>;
}

/** A call and its answer, as the documentation shows them. */
export interface RouteExample {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  headers?: Readonly<Record<string, string>>;
  body?: Json;
  /** The body of the first response of the route, if it has one. */
  response?: Json;
}

// The routes of a surface have different schemas; only `defineRoute` knows their exact types.
// biome-ignore lint/suspicious/noExplicitAny: a handler receives exactly what its own schemas accept
export type Route<Services> = RouteDefinition<Services, any>;

export function defineRoute<Services, const S extends RouteSchemas>(
  route: RouteDefinition<Services, S>,
): Route<Services> {
  return route;
}
