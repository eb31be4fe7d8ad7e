import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';
import type { RouteExample, RouteResponse } from '../src/http/route.js';

const surfaces = [...mainSurfaces, ...pluginSurfaces];
const routes = surfaces.flatMap((surface) => [...surface.routes]);
const examples: Record<string, RouteExample> = Object.assign(
  {},
  ...(await Promise.all(surfaces.map(({ loadExamples }) => loadExamples()))),
);
/** As a server validates: what a request leaves out has its default. */
const requests = new Ajv2020({ strict: false, validateFormats: false, useDefaults: true });
const answers = new Ajv2020({ strict: false, validateFormats: false });

function faultsOf(ajv: Ajv2020, schema: object | undefined, value: unknown): unknown {
  if (schema === undefined) return value === undefined ? [] : 'there should be none';
  return ajv.validate(schema, structuredClone(value)) ? [] : ajv.errors;
}

/** A text may be shown, and does not have to be. */
function faultsOfAnswer({ schema, contentType = '' }: Partial<RouteResponse>, value: unknown): unknown {
  const isText = schema === undefined && contentType.startsWith('text/');
  return faultsOf(answers, schema ?? (isText && value !== undefined ? { type: 'string' } : undefined), value);
}

describe('examples of the API', () => {
  it('are there for each operation, and for nothing else', () => {
    expect(Object.keys(examples).sort()).toEqual(routes.map(({ operation }) => operation).sort());
  });

  it.each(routes.filter(({ operation }) => operation in examples).map((route) => [route.operation, route] as const))(
    '%s is a call that its schemas accept, and an answer that they describe',
    (operation, route) => {
      const example = examples[operation] ?? {};
      const { params, query, body } = route.request;
      expect(faultsOf(requests, params, params && { ...example.params })).toEqual([]);
      expect(faultsOf(requests, query, query && { ...example.query })).toEqual([]);
      expect(faultsOf(requests, body, body && (example.body ?? null))).toEqual([]);
      const known = Object.keys(route.request.headers?.properties ?? {});
      expect(Object.keys(example.headers ?? {}).filter((name) => !known.includes(name))).toEqual([]);
      expect(faultsOfAnswer(Object.values(route.responses)[0] ?? {}, example.response)).toEqual([]);
    },
  );
});
