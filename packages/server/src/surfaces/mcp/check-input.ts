import { findTextFault, Problem } from '@memhall/core';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TObject } from 'typebox';
import { toHttpProblem } from '../../http/to-http-problem.js';

const ajv = new Ajv({ strict: false, allErrors: false });
addFormats.default(ajv);
/** Keyed by the JSON of the schema, because schemas are built again for every call. There are only a few. */
const compiled = new Map<string, ValidateFunction>();

/** Throws INVALID_REQUEST or UNKNOWN_FIELD with a message that says what to change. */
export function checkInput(schema: TObject, input: unknown): void {
  const key = JSON.stringify(schema);
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(key));
    compiled.set(key, validate);
  }
  if (!validate(input)) throw toHttpProblem({ validation: validate.errors, validationContext: 'body' });
  const fault = findTextFault(input);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `"${fault.pointer.slice(1, 200)}" ${fault.message}.`);
}
