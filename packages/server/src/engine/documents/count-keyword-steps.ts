import type { Json } from '@memhall/core';
import { _, type Code, type KeywordCxt, type KeywordErrorDefinition, str } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { MeasuredSchema } from './schema-size.js';
import type { ValidationSteps } from './validation-steps.js';

/** Longer lists of values are looked up in a set. */
const longEnum = 20;
/** Names that take about as long to compare as one step. */
const namesPerStep = 16;

type Cost = (context: KeywordCxt, size: MeasuredSchema) => Code;

const perEntry: Cost = ({ schema }) => _`self.steps.take(${1 + Object.keys(schema).length})`;
const perElement: Cost = ({ data }) => _`self.steps.takeSize(${data}, 1)`;
const perCharacter: Cost = ({ data }) => _`self.steps.takeText(${data})`;
const perReference: Cost = (_context, { parts, tracksEvaluated }) =>
  _`self.steps.take(${tracksEvaluated ? 1 + parts / namesPerStep : 1});self.steps.takeCopy(vErrors)`;
const perUnevaluated: Cost = ({ data }, { parts }) => _`self.steps.takeSize(${data}, ${1 + parts / namesPerStep})`;

/** Costs of keywords whose time depends on the content or the schema. `const`, `enum`, `uniqueItems` and patterns count while they work. */
const costs: Record<string, Cost> = {
  $ref: perReference,
  $dynamicRef: perReference,
  $recursiveRef: perReference,
  allOf: perEntry,
  anyOf: perEntry,
  oneOf: perEntry,
  required: perEntry,
  properties: perEntry,
  prefixItems: perEntry,
  dependentSchemas: perEntry,
  dependentRequired: ({ schema }) => _`self.steps.take(${1 + Object.values(schema as object).flat().length})`,
  dependencies: ({ schema }) => _`self.steps.take(${1 + Object.values(schema as object).flat().length})`,
  patternProperties: ({ schema, data }) => _`self.steps.takeSize(${data}, ${1 + Object.keys(schema).length})`,
  additionalProperties: perElement,
  propertyNames: perElement,
  minProperties: perElement,
  maxProperties: perElement,
  items: perElement,
  contains: perElement,
  unevaluatedItems: perUnevaluated,
  unevaluatedProperties: perUnevaluated,
  minLength: perCharacter,
  maxLength: perCharacter,
  format: ({ schema, data }) =>
    // The expression for URLs takes quadratic time; those of the other formats were measured to be linear.
    schema === 'url' ? _`self.steps.takeSquare(${data})` : _`self.steps.takeText(${data})`,
};

/** Keywords that try a part of the schema without the content having to match it. */
const alternatives = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames']);

/** Keywords of which Ajv's own implementation compares every value with every other one. */
const replacements: Record<string, (context: KeywordCxt, steps: ValidationSteps) => boolean> = {
  enum(context, steps) {
    const values: Json[] = context.schema;
    return (values.length > longEnum || values.some(isComposite)) && passIf(context, isOneOf(values, steps));
  },
  const(context, steps) {
    return isComposite(context.schema) && passIf(context, isOneOf([context.schema], steps));
  },
  uniqueItems(context, steps) {
    if (context.schema !== true) return true;
    return passIf(context, (items) => allDiffer(items as Json[], steps));
  },
};

/** Ajv's own errors name the pair of equal items, and repeat all required names for each of them. */
const errors: Record<string, KeywordErrorDefinition> = {
  uniqueItems: { message: 'must NOT have duplicate items' },
  dependentRequired: {
    message: ({ params: { property, missingProperty } }) =>
      str`must have property ${missingProperty} when property ${property} is present`,
  },
};

/**
 * Makes each keyword of a compiler take steps before it does its work, and tells the steps where alternatives start and end.
 * In the generated code `self` is the compiler.
 */
export function countKeywordSteps(compiler: Ajv2020, steps: ValidationSteps, size: MeasuredSchema): void {
  for (const [keyword, rule] of Object.entries(compiler.RULES.all)) {
    if (rule === undefined || typeof rule === 'boolean' || !('code' in rule.definition)) continue;
    const { definition } = rule;
    const { code } = definition;
    if (errors[keyword] !== undefined) definition.error = errors[keyword];
    const generate = (context: KeywordCxt, ruleType?: string) => {
      if (!replacements[keyword]?.(context, steps)) code(context, ruleType);
    };
    definition.code = (context, ruleType) => {
      const { gen, it } = context;
      const cost = costs[keyword]?.(context, size);
      if (cost !== undefined) gen.code(cost);
      // Inside an alternative, Ajv leaves out the code that follows a fault, and what follows here would be skipped.
      if (!alternatives.has(keyword) || it.compositeRule) return generate(context, ruleType);
      const before = gen.const('_before', _`errors`);
      gen.code(_`self.steps.startAlternatives()`);
      generate(context, ruleType);
      gen.code(_`self.steps.endAlternatives(vErrors, ${before})`);
    };
  }
}

function passIf(context: KeywordCxt, matches: (data: Json) => boolean): true {
  const { gen, data } = context;
  context.pass(_`${gen.scopeValue('keyword', { ref: matches })}(${data})`);
  return true;
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isOneOf(values: readonly Json[], steps: ValidationSteps): (data: Json) => boolean {
  const simple = new Set(values.filter((value) => !isComposite(value)));
  let composite: Set<string> | undefined;
  return (data) => {
    if (!isComposite(data)) return simple.has(data);
    if (simple.size === values.length) return false;
    composite ??= new Set(values.filter(isComposite).map((value) => steps.canonical(value)));
    return composite.has(steps.canonical(data));
  };
}

function allDiffer(items: readonly Json[], steps: ValidationSteps): boolean {
  return new Set(items.map((item) => steps.canonical(item))).size === items.length;
}
