import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';
import type { RouteExample } from '../src/http/route.js';
import { memoryServiceSurface } from '../src/surfaces/memory-service/memory-service-surface.js';
import { oneMemorySurface } from '../src/surfaces/one-memory/one-memory-surface.js';

const surfaces = [...mainSurfaces, ...pluginSurfaces];
const examples = surfaces.flatMap(({ routes, examples = {} }) =>
  Object.entries<RouteExample>(examples).map(
    ([operation, example]) => [operation, example, routes.find((route) => route.operation === operation)] as const,
  ),
);
/** As a server validates: what a request leaves out has its default. */
const requests = new Ajv2020({ strict: false, validateFormats: false, useDefaults: true });
const answers = new Ajv2020({ strict: false, validateFormats: false });

function faultsOf(ajv: Ajv2020, schema: object | undefined, value: unknown): unknown {
  if (schema === undefined) return value === undefined ? [] : 'there should be none';
  return ajv.validate(schema, structuredClone(value)) ? [] : ajv.errors;
}

describe('examples of the API', () => {
  it.each(examples)('%s is a call that its schemas accept, and an answer that they describe', (_, example, route) => {
    if (route === undefined) throw new Error('there is no such operation');
    const { params, query, body } = route.request;
    expect(faultsOf(requests, params, params && { ...example.params })).toEqual([]);
    expect(faultsOf(requests, query, query && { ...example.query })).toEqual([]);
    expect(faultsOf(requests, body, body && (example.body ?? null))).toEqual([]);
    const known = Object.keys(route.request.headers?.properties ?? {});
    expect(Object.keys(example.headers ?? {}).filter((name) => !known.includes(name))).toEqual([]);
    const [response] = Object.values(route.responses);
    expect(faultsOf(answers, response?.schema, example.response)).toEqual([]);
  });

  it.each([oneMemorySurface, memoryServiceSurface])('has one for each operation of $name', ({ routes, examples }) => {
    expect(Object.keys(examples ?? {}).sort()).toEqual(routes.map(({ operation }) => operation).sort());
  });
});
