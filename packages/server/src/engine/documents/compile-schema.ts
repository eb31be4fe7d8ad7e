import { canonicalJson, type Json, Problem } from '@memhall/core';
import { Ajv2020, type AnySchema, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';

/** Returns the errors of a content; empty if it matches the schema. Throws TooManySteps. */
export type SchemaCheck = (content: Json) => readonly ErrorObject[];

/** The schema refers to parts of itself so often that checking takes too long. */
export class TooManySteps extends Error {
  constructor() {
    super('checking takes too many steps');
  }
}

/** A part that refers to itself twice takes exponentially many steps. The largest documents need fewer than this. */
const maxSteps = 500_000;
/** Characters of text times instructions of a pattern: matching this many takes about as long as one step. */
const matchingPerStep = 20;
const maxProgramSize = 10_000;

/** The dialect of a schema that does not name one. */
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
 * Compiles a JSON Schema (2020-12). Throws INVALID_SCHEMA. A registered schema must not be able to stall the service: patterns
 * and uniqueItems take linear time, and steps are counted. Each schema has its own compiler, so a reference can never resolve to
 * another schema, such as another tenant's.
 */
export function compileSchema(schema: Json): SchemaCheck {
  if (typeof schema !== 'boolean' && (schema === null || typeof schema !== 'object' || Array.isArray(schema))) {
    throw invalidSchema('it must be an object or a boolean');
  }
  if (typeof schema === 'object' && schema.$async !== undefined)
    throw invalidSchema('$async is not part of JSON Schema');
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
  return new Problem('INVALID_SCHEMA', `This JSON Schema (2020-12) cannot be used: ${shown}.`, {
    details: { reason: shown },
  });
}

let plainCheck: { steps: Steps; compiler: Ajv2020 } | undefined;

/** The meta-schema takes longer to compile than the schemas to check, so one compiler checks them all. It does not store them. */
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

/** Takes linear time. Ajv's own check compares every item with every other one. */
function allDiffer(items: readonly Json[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length;
}

const head = 'dynamicAnchors={}}={}){';

/** Ajv compiles each part that can be referenced into a function. Inside it, `self` is the Ajv instance. */
function withStepsCounted(code: string): string {
  if (!code.includes(head)) throw new Error('its validation steps cannot be counted');
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
    // Ajv identifies expressions by this text and reuses one for equal texts.
    toString: () => pattern,
  };
}
