import { Problem } from '@memhall/core';
import { escapeLiteral } from 'pg';

/** Values of settings by name. Names come from this program only. */
export type Settings = Readonly<Record<string, string>>;

/** Returns a statement that sets all of them until the end of the transaction, with their values as parameters. */
export function setAll(names: readonly string[]): string {
  const calls = names.map((name, index) => `set_config('${name}', $${index + 1}, true)`);
  return `SELECT ${calls.join(', ')}`;
}

/**
 * Returns statements that do the same, each for one setting: what a distributed database sends to its other nodes. They have no
 * parameters, so values are quoted.
 */
export function setEach(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${quote(value)}`);
}

/** Quotes a value for any value of `standard_conforming_strings`. The text of a statement ends at a null character. */
function quote(value: string): string {
  if (value.includes('\0')) {
    throw new Problem('INVALID_REQUEST', 'The request contains text that cannot be stored: remove the null character.');
  }
  return escapeLiteral(value).trimStart();
}
