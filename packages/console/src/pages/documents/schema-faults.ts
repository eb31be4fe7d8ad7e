import { type Schema, Validator } from '@cfworker/json-schema';
import { fromPointer, type Json } from '../../parts/json-value.js';

export interface Fault {
  place: string[];
  message: string;
}

/** Errors of these keywords only say that something inside is wrong, which has an error of its own. */
const outer: readonly string[] = ['properties', 'items', 'prefixItems', '$ref', 'allOf', 'additionalProperties'];

/**
 * Returns what checks content against a schema. It does not compile the schema: the content security policy allows no code from
 * text. The server checks again, and decides.
 */
export function contentChecker(schema: Json): (content: Json) => Fault[] {
  const validator = new Validator(schema as Schema, '2020-12', false);
  return (content) => {
    const { errors } = validator.validate(content);
    const inner = errors.filter(({ keyword }) => !outer.includes(keyword));
    const faults = (inner.length === 0 ? errors : inner).map(
      ({ keyword, instanceLocation, error }): Fault => ({
        place: fromPointer(decodeURIComponent(instanceLocation.replace(/^#/, ''))),
        message: keyword === 'false' ? 'The schema has no such member.' : error,
      }),
    );
    return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
  };
}
