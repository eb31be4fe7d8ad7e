import type { Json } from '@memhall/core';
import type { RegisteredSchema } from '../../ports/registry.js';
import { ThreadLimitError, type Threads } from '../../ports/threads.js';
import type { SlowResults } from '../slow-results.js';
import { compileSchema, invalidSchema, type SchemaCheck } from './compile-schema.js';
import {
  checkSchema,
  type Fault,
  findFaults,
  maxStepsHere,
  refuseFaults,
  threadTasks,
  tooManySteps,
} from './find-faults.js';
import { exceededLimit, measureSchema, registrationLimits, smallSchemaLimits } from './schema-size.js';
import { TooManySteps } from './validation-steps.js';

const maxCompiled = 500;

/**
 * Compiled JSON Schemas (2020-12), each compiled once. What would occupy the event loop for long runs in a thread: compiling a
 * large schema, and checking a content that takes many steps.
 */
export class DocumentSchemas {
  readonly #threads: Threads;
  /** null: too large to be compiled here. */
  readonly #compiled = new Map<string, SchemaCheck | null>();

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  /** Checks a schema that is about to be registered. Throws INVALID_SCHEMA. */
  async check(schema: Json): Promise<void> {
    const size = measureSchema(schema);
    const exceeded = exceededLimit(size, registrationLimits);
    if (exceeded !== undefined) {
      const [has, limit] = [size[exceeded], registrationLimits[exceeded]];
      throw invalidSchema(`it is too large: it has ${has} ${descriptions[exceeded]}, and the limit is ${limit}`);
    }
    if (exceededLimit(size, smallSchemaLimits) === undefined) return checkSchema(schema);
    try {
      await this.#threads.call<void>(threadTasks.checkSchema, schema);
    } catch (error) {
      throw error instanceof ThreadLimitError ? invalidSchema('it takes too long to compile') : error;
    }
  }

  /**
   * Throws SCHEMA_VALIDATION_FAILED. `details.faults` has the pointer and rule of the first faults. A check that takes long is left to
   * `slow`.
   */
  validate(slow: SlowResults, schema: Omit<RegisteredSchema, 'createdAt' | 'migration'>, content: Json): void {
    refuseFaults(schema, this.#findFaults(slow, schema, content));
  }

  #findFaults(slow: SlowResults, { hash, schema }: Pick<RegisteredSchema, 'hash' | 'schema'>, content: Json): Fault[] {
    const [name, input] = ['validate', { hash, content }];
    const known = slow.find<Fault[]>(name, input)?.result ?? this.#findFaultsHere(hash, schema, content);
    return known ?? slow.get(name, input, () => this.#findFaultsInThread(schema, content));
  }

  /** Returns undefined if it would take too long. */
  #findFaultsHere(hash: string, schema: Json, content: Json): Fault[] | undefined {
    const check = this.#of(hash, schema);
    if (check === null) return undefined;
    try {
      return findFaults(check, content, maxStepsHere);
    } catch (error) {
      if (error instanceof TooManySteps) return undefined;
      throw error;
    }
  }

  async #findFaultsInThread(schema: Json, content: Json): Promise<Fault[]> {
    try {
      return await this.#threads.call<Fault[]>(threadTasks.findAllFaults, { schema, content });
    } catch (error) {
      if (error instanceof ThreadLimitError) return [tooManySteps];
      throw error;
    }
  }

  #of(hash: string, schema: Json): SchemaCheck | null {
    const known = this.#compiled.get(hash);
    if (known !== undefined) return known;
    const isSmall = exceededLimit(measureSchema(schema), smallSchemaLimits) === undefined;
    const compiled = isSmall ? compileSchema(schema) : null;
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

const descriptions = {
  characters: 'characters',
  parts: 'members and elements',
  patterns: 'instructions in its patterns',
};
