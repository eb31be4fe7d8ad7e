import type { AnyRecalled } from './recall-any.js';
import type { AnySession } from './recall-any-sessions.js';

const charactersPerToken = 4;

/** Returns the first results whose texts fit together. Never cuts a text. */
export function fitTokens(found: readonly AnyRecalled[], tokens: number | undefined): readonly AnyRecalled[] {
  return tokens === undefined ? found : found.slice(0, countFitting(found, tokens));
}

/** Returns the first sessions, with as many of their best results as fit. */
export function fitSessions(found: readonly AnySession[], tokens: number | undefined): readonly AnySession[] {
  if (tokens === undefined) return found;
  let left = countFitting(
    found.flatMap(({ best }) => best),
    tokens,
  );
  return found.flatMap((session) => {
    const best = session.best.slice(0, left);
    left -= best.length;
    return best.length === 0 ? [] : [{ ...session, best }];
  });
}

function countFitting(found: readonly AnyRecalled[], tokens: number): number {
  let room = tokens * charactersPerToken;
  const tooLong = found.findIndex(({ memory }) => {
    room -= memory.content.length;
    return room < 0;
  });
  return tooLong < 0 ? found.length : tooLong;
}
