import { type Json, Problem } from '@memhall/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { RegisteredSchema } from '../../ports/registry.js';

const maxCompiled = 500;
const maxFaults = 20;

/** Patterns in linear time: whoever registers a schema must not be able to stop the service with one. */
function linearExpression(pattern: string) {
  const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text: string) => expression.matcher(text).find() };
}
linearExpression.code = 'linearExpression';

/** Compiled JSON Schemas (2020-12), each compiled once. */
export class DocumentSchemas {
  readonly #compiled = new Map<string, ValidateFunction>();

  /** Throws INVALID_SCHEMA. */
  check(schema: Json): void {
    runs(compile(schema), {});
  }

  /** Throws SCHEMA_VALIDATION_FAILED; `details.faults` has pointer and rule of each, the first ones of many. */
  validate(
    { schemaId, version, schema, hash }: Omit<RegisteredSchema, 'createdAt' | 'migration'>,
    content: Json,
  ): void {
    const faults = runs(this.#of(hash, schema), content);
    if (faults.length === 0) return;
    const shown = faults.slice(0, maxFaults).map(toFault);
    const first = shown[0];
    throw new Problem(
      'SCHEMA_VALIDATION_FAILED',
      `The document would not fit its schema ${schemaId} ${version}: ${first?.pointer} ${first?.message}.`,
      { details: { schema_id: schemaId, schema_version: version, faults: shown, fault_count: faults.length } },
    );
  }

  #of(hash: string, schema: Json): ValidateFunction {
    const known = this.#compiled.get(hash);
    if (known !== undefined) return known;
    const compiled = compile(schema);
    if (this.#compiled.size >= maxCompiled) {
      for (const oldest of this.#compiled.keys()) {
        this.#compiled.delete(oldest);
        break;
      }
    }
    this.#compiled.set(hash, compiled);
    return compiled;
  }
}

/** Each schema has a compiler of its own: what one names can never reach into another, or another tenant's. */
function compile(schema: Json): ValidateFunction {
  if (typeof schema !== 'boolean' && (schema === null || typeof schema !== 'object' || Array.isArray(schema))) {
    throw invalid('it must be an object or a boolean');
  }
  if (typeof schema === 'object' && schema.$async !== undefined) throw invalid('$async is not JSON Schema');
  const compiler = new Ajv2020({ strict: false, allErrors: true, logger: false, code: { regExp: linearExpression } });
  addFormats.default(compiler);
  try {
    return compiler.compile(schema);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it does not compile');
  }
}

function runs(validate: ValidateFunction, content: Json): readonly ErrorObject[] {
  try {
    return validate(content) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof RangeError) throw invalid('it refers to itself without end');
    throw error;
  }
}

function toFault({ instancePath, keyword, message }: ErrorObject) {
  return { pointer: `/content${instancePath}`, rule: keyword, message: message ?? 'is not valid' };
}

function invalid(reason: string): Problem {
  return new Problem(
    'INVALID_SCHEMA',
    `This is not a JSON Schema (2020-12) that can be used: ${reason.slice(0, 500)}.`,
    {
      details: { reason: reason.slice(0, 500) },
    },
  );
}
