import { fromPointer, isList, isObject, type Json, type JsonObject, valueAt } from '../../parts/json-value.js';

const deepest = 12;

/** Returns the schemas that say what may be at a place: more than one if the schema has alternatives. */
function schemasAt(schema: Json, place: readonly string[]): JsonObject[] {
  let found = unfold(schema, schema);
  for (const name of place) {
    found = found.flatMap((one) => inside(one, name).flatMap((inner) => unfold(schema, inner)));
  }
  return found;
}

/** Follows references within the schema, and takes alternatives apart. */
function unfold(root: Json, schema: Json | undefined, depth = 0): JsonObject[] {
  if (!isObject(schema) || depth > deepest) return [];
  const { $ref: reference } = schema;
  const referred =
    typeof reference === 'string' && reference.startsWith('#')
      ? unfold(root, valueAt(root, fromPointer(decodeURIComponent(reference.slice(1)))), depth + 1)
      : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return isList(list) ? list.flatMap((one) => unfold(root, one, depth + 1)) : [];
  });
  return [schema, ...referred, ...parts];
}

function inside(schema: JsonObject, name: string): Json[] {
  const { properties, additionalProperties, items, prefixItems } = schema;
  const found: (Json | undefined)[] = [];
  if (isObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]);
  else if (isObject(additionalProperties)) found.push(additionalProperties);
  if (/^\d+$/.test(name)) found.push((isList(prefixItems) ? prefixItems[Number(name)] : undefined) ?? items);
  return found.filter((one) => one !== undefined);
}

export interface Member {
  name: string;
  schema: Json;
  isRequired: boolean;
}

/** Returns the members that a schema names for the object at a place. */
export function membersAt(schema: Json, place: readonly string[]): Member[] {
  const members = new Map<string, Member>();
  for (const { properties, required } of schemasAt(schema, place)) {
    if (!isObject(properties)) continue;
    for (const [name, inner] of Object.entries(properties)) {
      const isRequired = isList(required) && required.includes(name);
      members.set(name, { name, schema: inner, isRequired: isRequired || members.get(name)?.isRequired === true });
    }
  }
  return [...members.values()];
}

/** Says in a few words what a schema allows: "text, at least 1 character". */
export function describeSchema(root: Json, schema: Json): string {
  const said = unfold(root, schema).flatMap((one) => [...typeWords(one), ...limitWords(one)]);
  return [...new Set(said)].join(', ') || 'anything';
}

export function descriptionOf(root: Json, schema: Json): string | undefined {
  const texts = unfold(root, schema).flatMap(({ description, title }) => description ?? title ?? []);
  return texts.find((text) => typeof text === 'string');
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  integer: 'whole number',
  boolean: 'true or false',
};

function typeWords({ type, enum: choices, const: only, format }: JsonObject): string[] {
  if (only !== undefined) return [`only ${JSON.stringify(only)}`];
  if (isList(choices)) return [`one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`];
  const types = (isList(type) ? type : [type]).filter((one) => typeof one === 'string');
  const words = types.map((one) => typeNames[one] ?? one).join(' or ');
  return [words, typeof format === 'string' ? format : ''].filter((word) => word !== '');
}

const limits: Readonly<Record<string, (limit: string) => string>> = {
  minLength: (limit) => (limit === '1' ? 'not empty' : `at least ${limit} characters`),
  maxLength: (limit) => `at most ${limit} characters`,
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  minItems: (limit) => `at least ${limit} items`,
  maxItems: (limit) => `at most ${limit} items`,
  pattern: (limit) => `like ${limit}`,
};

function limitWords(schema: JsonObject): string[] {
  return Object.entries(limits).flatMap(([keyword, say]) => {
    const limit = schema[keyword];
    return typeof limit === 'number' || typeof limit === 'string' ? [say(String(limit))] : [];
  });
}

/** Returns the values that a schema names one by one. */
export function choicesAt(schema: Json, place: readonly string[]): Json[] {
  return schemasAt(schema, place).flatMap(({ enum: choices, const: only, type }) => {
    if (only !== undefined) return [only];
    if (isList(choices)) return choices;
    return type === 'boolean' ? [true, false] : [];
  });
}

/** Returns a value to begin with: what the schema says, else an empty one of its type. */
export function beginningOf(root: Json, schema: Json): Json {
  for (const { default: usual, const: only, enum: choices, type, format } of unfold(root, schema)) {
    const first = usual ?? only ?? (isList(choices) ? choices[0] : undefined);
    if (first !== undefined) return first;
    const name = isList(type) ? type[0] : type;
    if (format === 'date-time') return new Date().toISOString();
    if (name === 'array') return [];
    if (name === 'object') return {};
    if (name === 'number' || name === 'integer') return 0;
    if (name === 'boolean') return false;
  }
  return '';
}
