import { type Json, Problem } from '@memhall/core';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { RegisteredSchema } from '../../ports/registry.js';
import type { ThreadTask } from '../../ports/threads.js';
import { compileSchema, invalidSchema, type SchemaCheck } from './compile-schema.js';
import { TooManySteps } from './validation-steps.js';

/** Steps of a check on the event loop. They take some tens of milliseconds; almost all documents need far fewer. */
export const maxStepsHere = 1_000_000;
/** Steps of a check in a thread. They take a few seconds. */
const maxStepsInThread = 50_000_000;
/** Member names come from requests and can be as long as a request. */
const maxShownLength = 200;

export type Fault = { pointer: string; rule: string; message: string };

export const tooManySteps: Fault = {
  pointer: '/content',
  rule: 'steps',
  message: 'takes too many steps to check',
};

const notCheckable: Fault = {
  pointer: '/content',
  rule: 'unevaluated',
  message: 'cannot be checked: where its schema has unevaluatedProperties or unevaluatedItems, use simpler keywords',
};

/** Returns the first faults of a content. Throws TooManySteps. */
export function findFaults(check: SchemaCheck, content: Json, maxSteps: number): Fault[] {
  try {
    return check(content, maxSteps).map(toFault);
  } catch (error) {
    // A stack overflow: the schema refers to itself without descending into the document, or the document is nested too deeply.
    if (error instanceof RangeError) return [tooManySteps];
    // Ajv makes code of some alternatives with unevaluatedProperties that fails on some contents.
    if (error instanceof TypeError) return [notCheckable];
    throw error;
  }
}

/** Compiles the schema and takes as many steps as needed, up to a limit that no reasonable document reaches. */
export function findAllFaults({ schema, content }: { schema: Json; content: Json }): Fault[] {
  try {
    return findFaults(compileSchema(schema), content, maxStepsInThread);
  } catch (error) {
    if (error instanceof TooManySteps) return [tooManySteps];
    throw error;
  }
}

/** Throws INVALID_SCHEMA if the schema does not compile or refers to itself without end. */
export function checkSchema(schema: Json): void {
  const check = compileSchema(schema);
  try {
    if (!findFaults(check, {}, maxStepsHere).includes(tooManySteps)) return;
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
  }
  throw invalidSchema('it refers to itself without end');
}

/** Throws SCHEMA_VALIDATION_FAILED if there are faults. */
export function refuseFaults(
  { schemaId, version }: Pick<RegisteredSchema, 'schemaId' | 'version'>,
  faults: readonly Fault[],
): void {
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
        fault_count: faults.length,
      },
    },
  );
}

function toFault({ instancePath, keyword, message }: ErrorObject): Fault {
  const pointer = `/content${instancePath}`.slice(0, maxShownLength);
  return { pointer, rule: keyword, message: (message ?? 'is not valid').slice(0, maxShownLength) };
}

/** The functions that can run in a thread. */
export const threadTasks = {
  checkSchema: { module: import.meta.url, name: checkSchema.name },
  findAllFaults: { module: import.meta.url, name: findAllFaults.name },
} satisfies Record<string, ThreadTask>;
