import fc from 'fast-check';
import type { TSchema } from 'typebox';

interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  minimum?: number;
  maximum?: number;
  format?: string;
}

/** Texts that have broken parsers, databases and patterns. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  "'",
  "'; DROP TABLE memhall.memories; --",
  '$1',
  '<script>',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '-0',
  '1e400',
  '%',
  '_',
  '*',
  '\\',
  'a'.repeat(5000),
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T25:61:61Z',
];
const hostileNumbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324];

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }));

/** Returns values that mostly match the schema, and sometimes do not. */
export function arbitraryOf(
  schema: TSchema | Shape,
  known: Readonly<Record<string, unknown>>,
  name = '',
): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema as Shape, known, name);
  const wrong = fc.oneof(
    text,
    fc.constantFrom<unknown>(...hostileNumbers, true, null, [], {}),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc.oneof({ arbitrary: fitting, weight: 12 }, { arbitrary: wrong, weight: 1 });
}

function fittingOf(shape: Shape, known: Readonly<Record<string, unknown>>, name: string): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map((one) => arbitraryOf(one, known, name)));
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  if (type === 'object' || shape.properties !== undefined) return objectOf(shape, known);
  if (type === 'array')
    return fc.array(arbitraryOf(shape.items ?? {}, known, name.replace(/s$/, '')), { maxLength: 3 });
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1000 } = shape;
    return fc.oneof(
      fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
      fc.constantFrom(...hostileNumbers),
    );
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type !== 'string') return fc.jsonValue({ maxDepth: 3 });
  const fitting =
    shape.format === 'date-time' ? fc.constant('2026-01-01T00:00:00Z') : fc.constantFrom('x', 'some words');
  const own = Object.hasOwn(known, name) ? [{ arbitrary: fc.constant(known[name]), weight: 6 }] : [];
  return fc.oneof(...own, { arbitrary: fitting, weight: 4 }, { arbitrary: text, weight: 1 });
}

function objectOf(
  { properties = {}, required = [] }: Shape,
  known: Readonly<Record<string, unknown>>,
): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member, known, name)]),
  );
  const exact = fc.record(members, { requiredKeys: required.filter((name) => name in members) });
  const withMore = fc.tuple(exact, text, fc.jsonValue({ maxDepth: 1 })).map(([object, name, value]) => ({
    ...object,
    ...Object.fromEntries([[name, value]]),
  }));
  return fc.oneof({ arbitrary: exact, weight: 20 }, { arbitrary: withMore, weight: 1 });
}
