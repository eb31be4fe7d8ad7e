import { canonicalJson, type Json, Problem } from '@memhall/core';
import { Ajv2020, type AnySchema, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';

/** What keeps a content from fitting a schema; none when it fits. Throws TooManySteps. */
export type SchemaCheck = (content: Json) => readonly ErrorObject[];

/** The schema leads from one part of itself to the next too often to be followed. */
export class TooManySteps extends Error {
  constructor() {
    super('it takes too many steps to check');
  }
}

/** Schemas that lead to themselves twice from one place take steps without number; the largest documents need fewer. */
const maxSteps = 500_000;
/** Characters of text times instructions of a pattern that take about as long as one step. */
const matchingPerStep = 20;
const maxProgramSize = 10_000;

/** What a schema that names no other is written in. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

class Steps {
  #taken = 0;

  take(more: number): void {
    this.#taken += more;
    if (this.#taken > maxSteps) throw new TooManySteps();
  }

  startAgain(): void {
    this.#taken = 0;
  }
}

/**
 * A JSON Schema (2020-12) made ready, or Problem INVALID_SCHEMA. Whoever registers one must not be able to stop the service
 * with it: patterns and uniqueItems take linear time, and steps are counted. Each schema has a compiler of its own, so what
 * one names can never reach into another, or another tenant's.
 */
export function compileSchema(schema: Json): SchemaCheck {
  if (typeof schema !== 'boolean' && (schema === null || typeof schema !== 'object' || Array.isArray(schema))) {
    throw invalidSchema('it must be an object or a boolean');
  }
  if (typeof schema === 'object' && schema.$async !== undefined) throw invalidSchema('$async is not JSON Schema');
  const isPlain = typeof schema === 'boolean' || schema.$schema === undefined || schema.$schema === dialect;
  try {
    if (isPlain) checkPlain(schema);
    const steps = new Steps();
    const validate = createCompiler(steps, { validateSchema: !isPlain }).compile(schema);
    return (content) => {
      steps.startAgain();
      return validate(content) ? [] : (validate.errors ?? []);
    };
  } catch (error) {
    throw invalidSchema(error instanceof Error ? error.message : 'it does not compile');
  }
}

export function invalidSchema(reason: string): Problem {
  const shown = reason.slice(0, 500);
  return new Problem('INVALID_SCHEMA', `This is not a JSON Schema (2020-12) that can be used: ${shown}.`, {
    details: { reason: shown },
  });
}

let plainCheck: { steps: Steps; compiler: Ajv2020 } | undefined;

/** The schema of schemas takes longer to compile than what is held against it, so one of it does for all. It keeps none of them. */
function checkPlain(schema: AnySchema): void {
  if (plainCheck === undefined) {
    const steps = new Steps();
    plainCheck = { steps, compiler: createCompiler(steps) };
  }
  plainCheck.steps.startAgain();
  plainCheck.compiler.validateSchema(schema, true);
}

function createCompiler(steps: Steps, options: Options = {}): Ajv2020 {
  const regExp = Object.assign((pattern: string) => linearExpression(pattern, steps), { code: 'linearExpression' });
  const compiler = new Ajv2020({
    ...options,
    strict: false,
    allErrors: true,
    ownProperties: true,
    logger: false,
    code: { regExp, process: withStepsCounted },
  });
  addFormats.default(compiler);
  compiler.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (items: Json[]) => !wanted || allDiffer(items),
    error: { message: 'must NOT have duplicate items' },
  });
  return Object.assign(compiler, { steps });
}

/** Ajv compares every item with every other one. */
function allDiffer(items: readonly Json[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length;
}

const head = 'dynamicAnchors={}}={}){';

/** Ajv makes a function of each part that can be led to; `self` is what it calls its own instance in there. */
function withStepsCounted(code: string): string {
  if (!code.includes(head)) throw new Error('its steps cannot be counted');
  return code.replace(head, `${head}self.steps.take(1);`);
}

function linearExpression(pattern: string, steps: Steps) {
  const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const size = expression.programSize();
  if (size > maxProgramSize) throw new Error('a pattern in it is too large');
  return {
    test(text: string) {
      steps.take((text.length * size) / matchingPerStep);
      return expression.matcher(text).find();
    },
    // Ajv tells expressions apart by this, and takes one for all that say the same.
    toString: () => pattern,
  };
}
