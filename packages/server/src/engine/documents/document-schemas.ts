import { type Json, Problem } from '@memhall/core';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { RegisteredSchema } from '../../ports/registry.js';
import { compileSchema, invalidSchema, type SchemaCheck, TooManySteps } from './compile-schema.js';

const maxCompiled = 500;
const maxFaults = 20;
/** Member names come from requests and can be as long as a request. */
const maxShownLength = 200;

interface Fault {
  pointer: string;
  rule: string;
  message: string;
}

const tooManySteps: Fault = { pointer: '/content', rule: 'steps', message: 'takes too many steps to check' };

/** Compiled JSON Schemas (2020-12), each compiled once. */
export class DocumentSchemas {
  readonly #compiled = new Map<string, SchemaCheck>();

  /** Throws INVALID_SCHEMA. */
  check(schema: Json): void {
    const { faults } = findFaults(compileSchema(schema), {});
    if (faults.includes(tooManySteps)) throw invalidSchema('it refers to itself without end');
  }

  /** Throws SCHEMA_VALIDATION_FAILED. `details.faults` has the pointer and rule of the first faults; `fault_count` counts all. */
  validate(
    { schemaId, version, schema, hash }: Omit<RegisteredSchema, 'createdAt' | 'migration'>,
    content: Json,
  ): void {
    const { faults, count } = findFaults(this.#of(hash, schema), content);
    const [first] = faults;
    if (first === undefined) return;
    throw new Problem(
      'SCHEMA_VALIDATION_FAILED',
      `The document would not match its schema ${schemaId} ${version}: ${first.pointer} ${first.message}.`,
      {
        details: {
          schema_id: schemaId,
          schema_version: version,
          faults: faults.map((fault) => ({ ...fault })),
          fault_count: count,
        },
      },
    );
  }

  #of(hash: string, schema: Json): SchemaCheck {
    const known = this.#compiled.get(hash);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema);
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

function findFaults(check: SchemaCheck, content: Json): { faults: Fault[]; count: number } {
  try {
    const errors = check(content);
    return { faults: errors.slice(0, maxFaults).map(toFault), count: errors.length };
  } catch (error) {
    // A RangeError is a stack overflow: the schema refers to itself without descending into the document.
    if (error instanceof TooManySteps || error instanceof RangeError) return { faults: [tooManySteps], count: 1 };
    throw error;
  }
}

function toFault({ instancePath, keyword, message }: ErrorObject): Fault {
  const pointer = `/content${instancePath}`.slice(0, maxShownLength);
  return { pointer, rule: keyword, message: (message ?? 'is not valid').slice(0, maxShownLength) };
}
