import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

const options = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  strict: false,
  // With a zone, so that it names one moment. Whether there is such a day is looked at where it is read.
  formats: { 'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/ },
} as const;

/**
 * Bodies are taken as they are: "1" is not 1. Query parameters and path parts are text by nature, so there numbers and
 * booleans are read from it.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const exact = new Ajv({ ...options, coerceTypes: false });
  const fromText = new Ajv({ ...options, coerceTypes: true });
  return ({ schema, httpPart }) => (httpPart === 'body' ? exact : fromText).compile(schema);
}
