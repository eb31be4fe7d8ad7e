import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';

/** `validateSchema` is off because the schemas are fixed; a test validates them instead. */
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
 * Bodies are validated without type coercion: "1" is not 1. Query parameters, path parameters and headers are text, so
 * numbers and booleans are parsed from it.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  compileOnUse(httpPart === 'body' ? exact : fromText, schema);

/** Compiles a schema on first use: there are hundreds, and most processes use few of them. */
function compileOnUse(compiler: Ajv, schema: TSchema): FastifyValidationResult {
  let compiled: ValidateFunction | undefined;
  return (data) => {
    compiled ??= compiler.compile(schema);
    return compiled(data) || { error: compiled.errors as FastifySchemaValidationError[] };
  };
}
