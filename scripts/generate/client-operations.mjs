import { compile } from 'json-schema-to-typescript';

const header = '// Generated from the route tables by `npm run generate`. Do not edit.\n';

/** Left out of the client: it has a separate one. */
const otherTags = ['Memory gateway'];

/**
 * Generates the client's view of the API: a table of operations, and the types of their requests and responses.
 * @param {any} api an OpenAPI document
 */
export async function toOperationsModule(api) {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(/** @type {Record<string, any>} */ (methods)).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const memory = operations.filter(({ operation }) => !otherTags.includes(operation.tags[0]));
  const properties = Object.fromEntries(memory.map(({ operation }) => [operation.operationId, toTypes(operation)]));
  const schema = { ...markUnknown(object(properties)), title: 'Operations', components: markUnknown(api.components) };
  const types = await compile(schema, 'Operations', {
    bannerComment: '',
    additionalProperties: false,
    unknownAny: true,
    style: { singleQuote: true, printWidth: 120 },
    ignoreMinAndMaxItems: true,
  });
  const tags = [...new Set(memory.map(({ operation }) => operation.tags[0]))];
  const tables = tags.map((tag) => {
    const own = memory.filter(({ operation }) => operation.tags[0] === tag);
    const lines = own.map(({ path, method, operation }) => `  '${operation.operationId}': ['${method}', '${path}'],`);
    return `export const ${toCamelCase(tag)}Routes = {\n${lines.join('\n')}\n} as const;\n`;
  });
  return `${header}\n${types.trim()}\n\n${tables.join('\n')}`;
}

/** @param {string} title */
function toCamelCase(title) {
  const [first = '', ...others] = title.toLowerCase().split(' ');
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** @param {any} operation */
function toTypes(operation) {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const schemas = answers.flatMap(
    ([, answer]) => /** @type {any} */ (answer).content?.['application/json']?.schema ?? [],
  );
  return object({
    path: parameters(operation, 'path'),
    query: parameters(operation, 'query'),
    ...(operation.requestBody ? { body: operation.requestBody.content['application/json'].schema } : {}),
    answer: schemas[0] ?? { type: 'null' },
  });
}

/** @param {any} operation @param {string} place */
function parameters(operation, place) {
  const own = operation.parameters.filter((/** @type {any} */ parameter) => parameter.in === place);
  const required = own
    .filter((/** @type {any} */ parameter) => parameter.required)
    .map((/** @type {any} */ { name }) => name);
  return { ...object(Object.fromEntries(own.map((/** @type {any} */ { name, schema }) => [name, schema]))), required };
}

/** @param {Record<string, unknown>} properties */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Marks schemas without a type as unknown; the compiler would take them for objects. @param {any} node @returns {any} */
function markUnknown(node) {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return node;
  if (node.patternProperties !== undefined) return { description: node.description, tsType: 'Record<string, unknown>' };
  const copy = Object.fromEntries(Object.entries(node).map(([key, member]) => [key, markUnknown(member)]));
  for (const [name, property] of Object.entries(copy.properties ?? {})) {
    const isTyped = Object.keys(/** @type {object} */ (property)).some((key) => key !== 'description');
    if (!isTyped) copy.properties[name] = { ...property, tsType: 'unknown' };
  }
  return copy;
}
