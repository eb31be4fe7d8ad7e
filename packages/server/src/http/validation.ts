import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';

/** Schemas are our own, and hold for every process alike: a test checks them once for all. */
const options = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  strict: false,
  validateSchema: false,
} as const;

const exact = new Ajv({ ...options, coerceTypes: false });
const fromText = new Ajv({ ...options, coerceTypes: true });

/**
 * Bodies are taken as they are: "1" is not 1. Query parameters and path parts are text by nature, so there numbers and
 * booleans are read from it.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  compileOnUse(httpPart === 'body' ? exact : fromText, schema);

/** There are hundreds of schemas, and most processes are never asked for most of them. */
function compileOnUse(compiler: Ajv, schema: TSchema): FastifyValidationResult {
  let compiled: ValidateFunction | undefined;
  return (data) => {
    compiled ??= compiler.compile(schema);
    return compiled(data) || { error: compiled.errors as FastifySchemaValidationError[] };
  };
}
