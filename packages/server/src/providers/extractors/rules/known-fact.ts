import type { KnownFact } from '../../../ports/extractor.js';
import type { Candidate } from './candidate.js';
import { languageOf } from './languages/language-of.js';
import { matchClause } from './match-clause.js';
import { toPattern } from './phrases.js';
import { type Reading, toReading } from './reading.js';
import { longestSentence } from './split-clauses.js';

/** Returns undefined if no rule matches. The result has no messages, because it was not said in this conversation. */
export function readKnownFact({ kind, text }: KnownFact): Candidate | undefined {
  if (text.length > longestSentence) return undefined;
  const said = toFirstPerson(text);
  const { candidate } = matchClause(said, {
    language: languageOf(said),
    lowerCaseWriter: !/\p{Lu}/u.test(text),
    message: -1,
    sentence: -1,
    request: 'none',
  });
  return candidate && { ...candidate, kind: kind ?? candidate.kind, text, messages: [] };
}

/** Returns the form in which facts are compared, whether or not a rule matches. */
export function toKnownReading(fact: KnownFact): Reading {
  return toReading(
    readKnownFact(fact) ?? { kind: fact.kind ?? 'explicit', text: fact.text, slot: undefined, value: '' },
  );
}

/** Known facts from elsewhere may be worded as "The user lives in …". */
export function toFirstPerson(text: string): string {
  return text
    .replace(toPattern(/^(?:the )?user'?s\b/iu), 'My')
    .replace(toPattern(/^(?:the )?user is\b/iu), "I'm")
    .replace(toPattern(/^(?:the )?user has\b/iu), 'I have')
    .replace(
      toPattern(/^(?:the )?user ((?:\p{L}+ly )?\p{L}{3,12}s)\b/iu),
      (_, verb: string) => `I ${toBaseForm(verb)}`,
    );
}

function toBaseForm(verb: string): string {
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`;
  return verb.slice(0, /(?:sh|ch|ss|x|o)es$/.test(verb) ? -2 : -1);
}
