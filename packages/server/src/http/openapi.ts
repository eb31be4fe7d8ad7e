import { type Json, Problem, type ProblemCode, problemStatuses } from '@memhall/core';
import type { TSchema } from 'typebox';
import { offTheRecordParameter } from './off-the-record.js';
import type { Route, RouteExample, RouteResponse } from './route.js';
import type { Surface } from './surface.js';

type OpenApiDocument = { paths: Json; components: { schemas: { [title: string]: Json } } } & { [key: string]: Json };

interface ObjectSchema {
  properties?: Record<string, TSchema & { description?: string }>;
  required?: string[];
}

interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', enum: Object.keys(problemStatuses) },
        message: { type: 'string', description: 'What was wrong, and usually what to do about it' },
        request_id: { type: 'string' },
        details: { type: 'object' },
      },
    },
  },
};

/**
 * Builds the OpenAPI 3.1 document of the surfaces on one listener. Their schemas are JSON Schema and are used as they
 * are.
 */
export async function toOpenApi(surfaces: readonly Surface<never>[], info: ApiInfo): Promise<Json> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const surface of surfaces) {
    const examples = await surface.loadExamples();
    for (const route of inOrder(surface.routes)) {
      const operation = toOperation(surface, route, examples[route.operation]);
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  const usesTokens = surfaces.some(({ routes }) => routes.some(needsToken));
  const document = {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'This server' }],
    tags: surfaces.map(({ title, description }) => ({ name: title, description })),
    paths,
    components: {
      ...(usesTokens ? { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } } : {}),
      parameters: { OffTheRecord: offTheRecordParameter },
      schemas: { Error: errorSchema },
    },
  };
  return hoistTitled(JSON.parse(JSON.stringify(document)));
}

/** Moves schemas with a title to the components and replaces them with references. */
function hoistTitled(document: OpenApiDocument): Json {
  const { schemas } = document.components;
  const visit = (node: Json): Json => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(visit);
    const copy = Object.fromEntries(Object.entries(node).map(([key, member]) => [key, visit(member)]));
    if (copy.if !== undefined && copy.then !== undefined && copy.else !== undefined)
      return { anyOf: [copy.then, copy.else] };
    if (typeof copy.title !== 'string' || copy.type === undefined) return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  document.paths = visit(document.paths);
  return document;
}

function needsToken({ access }: Route<never>): boolean {
  return access !== 'open' && access !== 'key';
}

function toOperation(surface: Surface<never>, route: Route<never>, example: RouteExample | undefined): unknown {
  const { params, query, headers, body } = route.request;
  return {
    operationId: route.operation,
    tags: [surface.title],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: needsToken(route) ? [{ token: [] }] : [],
    parameters: [
      ...toParameters('path', params, example?.params),
      ...toParameters('query', query, example?.query),
      ...toParameters('header', headers, example?.headers),
      ...(body === undefined ? [] : [{ $ref: '#/components/parameters/OffTheRecord' }]),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !mayBeAbsent(body),
            content: route.upload
              ? { 'multipart/form-data': toForm(toSent(body) as ObjectSchema, example?.body) }
              : { 'application/json': { schema: toSent(body), ...shown(example?.body) } },
          },
        }),
    responses: { ...toResponses(route, example?.response), ...toProblems(surface, route) },
  };
}

/** Returns a schema as clients see it: a field with a default is optional for them, although the handler always receives it. */
function toSent(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map(toSent);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, toSent(part)]));
  const { properties, required } = copy as ObjectSchema;
  if (properties === undefined || !Array.isArray(required)) return copy;
  return { ...copy, required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}

/** A form has the fields of the body, and one file. */
function toForm({ properties, required = [], ...schema }: ObjectSchema, example: Json | undefined): object {
  const file = { type: 'string', format: 'binary' };
  return {
    schema: { ...schema, properties: { file, ...properties }, required: ['file', ...required] },
    ...(example === undefined ? {} : { example: { file: 'the bytes of the file', ...(example as object) } }),
  };
}

/** An absent body is validated as null. */
function mayBeAbsent(body: { type?: string | string[] }): boolean {
  return Array.isArray(body.type) && body.type.includes('null');
}

function toParameters(
  place: 'path' | 'query' | 'header',
  schema: ObjectSchema | undefined,
  examples: RouteExample['query'] = {},
): unknown[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    const required = place === 'path' || (schema?.required?.includes(name) === true && !('default' in property));
    return {
      name,
      in: place,
      required,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...shown(examples[name]),
    };
  });
}

function shown(example: Json | undefined): object {
  return example === undefined ? {} : { example };
}

/** What users need first, what administrators and operators need last. */
function inOrder<R extends Route<never>>(routes: readonly R[]): R[] {
  const isForFew = ({ access }: R) => Number(/^(admin|operator)/.test(access));
  return [...routes].sort((one, other) => isForFew(one) - isForFew(other));
}

/** The example is of the first response. */
function toResponses(route: Route<never>, example: Json | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, response]: [string, RouteResponse], index) => [
      status,
      {
        description: response.description,
        ...(response.headers === undefined ? {} : { headers: toHeaders(response.headers) }),
        ...(response.schema === undefined && response.contentType === undefined
          ? {}
          : {
              content: {
                [response.contentType ?? 'application/json']: {
                  ...(response.schema && { schema: response.schema }),
                  ...(index === 0 ? shown(example) : {}),
                },
                ...(response.streamType && { [response.streamType]: {} }),
              },
            }),
      },
    ]),
  );
}

function toHeaders(headers: Record<string, string>): unknown {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Returns the problem codes of a route: its own, and those implied by its request schemas and its access. Any URL can be malformed. */
export function problemsOf(route: Route<never>): ProblemCode[] {
  const { query, body } = route.request;
  const lenient = route.access === 'open' || route.access === 'local';
  const refusals: ProblemCode[] =
    route.access === 'key' ? ['UNAUTHENTICATED', 'QUOTA_EXCEEDED'] : ['UNAUTHENTICATED', 'FORBIDDEN', 'QUOTA_EXCEEDED'];
  const guarded = route.access === 'open' ? [] : refusals;
  const strict: ProblemCode[] = query || body || !lenient ? ['UNKNOWN_FIELD'] : [];
  const bodied: ProblemCode[] = body ? ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : [];
  const always: ProblemCode[] = route.access === 'open' ? ['INTERNAL'] : ['INTERNAL', 'UNAVAILABLE'];
  return ['INVALID_REQUEST', ...strict, ...guarded, ...(route.problems ?? []), ...bodied, ...always];
}

function toProblems(surface: Surface<never>, route: Route<never>): Record<string, unknown> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const status = surface.statusOf?.(new Problem(code, '')) ?? problemStatuses[code];
    if (status in route.responses) continue;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
