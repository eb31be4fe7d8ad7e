import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';

// A server compiles the schema of a request or response when it first needs it. These tests find invalid schemas earlier.
describe.each([...mainSurfaces, ...pluginSurfaces].map((surface) => [surface.name, surface.routes] as const))(
  'request schemas of the %s surface',
  (_, routes) => {
    it('compiles every schema', () => {
      const checker = new Ajv({ strict: false });
      const schemas = routes.flatMap(({ operation, request }) =>
        Object.entries(request).map(([part, schema]) => ({ name: `${operation} ${part}`, schema: schema as object })),
      );
      const faulty = schemas.filter(({ schema }) => !checker.validateSchema(schema));
      expect(faulty.map(({ name }) => name)).toEqual([]);
      for (const { name, schema } of schemas) expect(() => checker.compile(schema), name).not.toThrow();
    });

    it('have response schemas that can be compiled', () => {
      const compile = SerializerSelector()({}, {});
      for (const { operation: url, method, responses } of routes) {
        for (const [httpStatus, { schema }] of Object.entries(responses)) {
          if (schema === undefined) continue;
          expect(() => compile({ schema, url, method, httpStatus }), `${url} ${httpStatus}`).not.toThrow();
        }
      }
    });
  },
);
