import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

const options = { useDefaults: true, removeAdditional: false, allErrors: false, strict: false } as const;

/**
 * Bodies are taken as they are: "1" is not 1. Query parameters and path parts are text by nature, so there numbers and
 * booleans are read from it.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const exact = new Ajv({ ...options, coerceTypes: false });
  const fromText = new Ajv({ ...options, coerceTypes: true });
  return ({ schema, httpPart }) => (httpPart === 'body' ? exact : fromText).compile(schema);
}
