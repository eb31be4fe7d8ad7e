import type { TSchema } from 'typebox';
import { mainSurfaces, pluginSurfaces } from '../../src/composition/surfaces.js';
import type { Route } from '../../src/http/route.js';
import type { Call } from './server.js';

export interface AttackedRoute {
  listener: 'main' | 'plugin';
  route: Route<never>;
}

const routesOf = (listener: AttackedRoute['listener'], surfaces: readonly { routes: readonly Route<never>[] }[]) =>
  surfaces.flatMap(({ routes }) => routes.map((route): AttackedRoute => ({ listener, route })));

/** Every route of both listeners. */
export const attackedRoutes: readonly AttackedRoute[] = [
  ...routesOf('main', mainSurfaces),
  ...routesOf('plugin', pluginSurfaces),
];

/** Values for members by name, such as `user_id`. */
export type Names = Readonly<Record<string, unknown>>;

interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  minItems?: number;
  minLength?: number;
  minimum?: number;
  format?: string;
  default?: unknown;
}

/** Returns the names of a schema's members. */
export function membersOf(schema: TSchema | undefined): string[] {
  return Object.keys((schema as Shape | undefined)?.properties ?? {});
}

/** Returns a small value that mostly matches the schema, with the given values wherever a member has such a name. */
export function sampleOf(schema: TSchema | Shape, names: Names, name = ''): unknown {
  const shape = schema as Shape;
  if (Object.hasOwn(names, name) && !isContainer(shape)) return names[name];
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf !== undefined) return sampleOf(shape.anyOf[0] ?? {}, names, name);
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  if (type === 'object' || shape.properties !== undefined) return sampleObject(shape, names);
  if (type === 'array') return [sampleOf(shape.items ?? {}, names, name.replace(/s$/, ''))];
  if (type === 'integer' || type === 'number') return shape.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (shape.format === 'date-time') return '2026-01-01T00:00:00Z';
  return 'x'.repeat(Math.max(shape.minLength ?? 1, 1));
}

function isContainer({ type }: Shape): boolean {
  return type === 'object' || type === 'array';
}

function sampleObject({ properties = {}, required = [] }: Shape, names: Names): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || Object.hasOwn(names, name));
  return Object.fromEntries(wanted.map(([name, member]) => [name, sampleOf(member, names, name)]));
}

/** Returns a request to a route that uses the given values wherever it can. */
export function requestTo({ route }: AttackedRoute, names: Names): Call & { method: string; form?: FormData } {
  const { params, query, headers, body } = route.request;
  const inPath = sampleOf(params ?? {}, names);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((inPath as Record<string, unknown>)[name] ?? names[name] ?? 'x')),
  );
  const search = new URLSearchParams();
  const asked = query === undefined ? {} : (sampleOf(query, names) as Record<string, unknown>);
  for (const [name, value] of Object.entries(asked)) search.append(name, String(value));
  const sent: Record<string, string> = {};
  for (const name of membersOf(headers)) {
    if (name === 'if-match') sent[name] = '*';
    if (name === 'idempotency-key') sent[name] = crypto.randomUUID();
    if (name === 'accept') sent[name] = 'application/json, text/event-stream';
  }
  const call = { method: route.method, path: search.size === 0 ? path : `${path}?${search}`, headers: sent };
  const content = body === undefined ? undefined : sampleOf(body, names);
  if (route.upload) return { ...call, form: toForm(content as Record<string, unknown>) };
  return { ...call, ...(content === undefined ? {} : { body: content }) };
}

function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob(['# A file']), 'file.md');
  return form;
}

/** Returns the names of all members, however deep, that can be a text of any length. */
export function textMembersOf(schema: TSchema | undefined): string[] {
  const found = new Set<string>();
  const visit = ({ type, enum: choices, anyOf = [], properties = {}, items }: Shape, name: string) => {
    if ((type === 'string' || type === undefined) && choices === undefined && anyOf.length === 0 && name !== '')
      found.add(name);
    for (const one of anyOf) visit(one, name);
    for (const [member, shape] of Object.entries(properties)) visit(shape, member);
    if (items !== undefined) visit(items, name.replace(/s$/, ''));
  };
  if (schema !== undefined) visit(schema as Shape, '');
  return [...found].filter((name) => !/(?:_id|_at|_key|_topic)s?$/.test(name));
}
