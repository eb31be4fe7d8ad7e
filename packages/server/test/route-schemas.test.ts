import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';

// A server compiles a request schema only when the first such request arrives. This test finds faults earlier.
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
  },
);
