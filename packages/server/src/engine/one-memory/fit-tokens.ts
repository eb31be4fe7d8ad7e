import type { AnyRecalled } from './recall-any.js';

const charactersPerToken = 4;

/** Returns the first results whose texts fit together. Never cuts a text. */
export function fitTokens(found: readonly AnyRecalled[], tokens: number | undefined): readonly AnyRecalled[] {
  if (tokens === undefined) return found;
  let room = tokens * charactersPerToken;
  const tooLong = found.findIndex(({ memory }) => {
    room -= memory.content.length;
    return room < 0;
  });
  return tooLong < 0 ? found : found.slice(0, tooLong);
}
