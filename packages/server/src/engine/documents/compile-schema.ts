import { type Json, Problem } from '@memhall/core';
import { Ajv2020, type AnySchema, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { countKeywordSteps } from './count-keyword-steps.js';
import { measureSchema } from './schema-size.js';
import { EnoughFaults, maxFaults, ValidationSteps } from './validation-steps.js';

/**
 * Returns the first errors of a content; empty if it matches the schema. Throws TooManySteps, a RangeError if the stack
 * overflows, or a TypeError where Ajv's own code is wrong.
 */
export type SchemaCheck = (content: Json, maxSteps: number) => readonly ErrorObject[];

/** Characters of text times instructions of a pattern: matching this many takes about as long as one step. */
const matchingPerStep = 20;
const maxProgramSize = 10_000;

/** The dialect of a schema that does not name one. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Larger parts get a function of their own wherever they are referred to, so the code does not outgrow the schema. */
const maxInlined = 10;
/** Meta-schemas check a schema in fewer steps than this. */
const maxStepsOfSchema = 50_000_000;

/**
 * Compiles a JSON Schema (2020-12). Throws INVALID_SCHEMA. A registered schema must not be able to stall the service: the
 * work of every keyword is counted in steps, and patterns and lists of values take linear time. Each schema has its own
 * compiler, so a reference can never resolve to another schema, such as another tenant's.
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
    const steps = new ValidationSteps();
    steps.start(maxStepsOfSchema);
    const validate = createCompiler(steps, schema, { validateSchema: !isPlain }).compile(schema);
    return (content, maxSteps) => {
      steps.start(maxSteps);
      return firstErrors(() => (validate(content) ? [] : (validate.errors ?? [])));
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

function firstErrors(find: () => readonly ErrorObject[]): readonly ErrorObject[] {
  try {
    return find().slice(0, maxFaults);
  } catch (error) {
    if (error instanceof EnoughFaults) return error.faults;
    throw error;
  }
}

let plainCheck: { steps: ValidationSteps; compiler: Ajv2020 } | undefined;

/** The meta-schema takes longer to compile than the schemas to check, so one compiler checks them all. It does not store them. */
function checkPlain(schema: AnySchema): void {
  if (plainCheck === undefined) {
    const steps = new ValidationSteps();
    plainCheck = { steps, compiler: createCompiler(steps, true) };
  }
  const { steps, compiler } = plainCheck;
  steps.start(maxStepsOfSchema);
  const errors = firstErrors(() => (compiler.validateSchema(schema) ? [] : (compiler.errors ?? [])));
  if (errors.length > 0) throw new Error(`schema is invalid: ${compiler.errorsText([...errors])}`);
}

function createCompiler(steps: ValidationSteps, schema: Json, options: Options = {}): Ajv2020 {
  const regExp = Object.assign((pattern: string) => linearExpression(pattern, steps), { code: 'linearExpression' });
  const compiler = new Ajv2020({
    ...options,
    strict: false,
    allErrors: true,
    ownProperties: true,
    inlineRefs: maxInlined,
    logger: false,
    code: { regExp, process: withStepsCounted },
  });
  addFormats.default(compiler);
  countKeywordSteps(compiler, steps, measureSchema(schema));
  return Object.assign(compiler, { steps });
}

const head = 'dynamicAnchors={}}={}){';
const textOrFault = /"(?:[^"\\]|\\.)*"|\berrors\+\+;/g;

/**
 * Ajv compiles each part that can be referenced into a function. Inside it, `self` is the Ajv instance, and `errors++` follows
 * wherever it adds an error to `vErrors`.
 */
function withStepsCounted(code: string): string {
  if (!code.includes(head)) throw new Error('its validation steps cannot be counted');
  return code
    .replace(head, `${head}self.steps.take(1);`)
    .replaceAll(textOrFault, (found) => (found === 'errors++;' ? `${found}self.steps.addFault(vErrors);` : found));
}

function linearExpression(pattern: string, steps: ValidationSteps) {
  const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const size = expression.programSize();
  if (size > maxProgramSize) throw new Error('a pattern in it is too large');
  return {
    test(text: string) {
      steps.take(1 + (text.length * size) / matchingPerStep);
      return expression.matcher(text).find();
    },
    // Ajv identifies expressions by this text and reuses one for equal texts.
    toString: () => pattern,
  };
}
