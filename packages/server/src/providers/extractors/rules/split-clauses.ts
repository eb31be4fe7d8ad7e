/** A part of a message that can be a statement of its own. */
export interface Clause {
  text: string;
  /** Position in the message, in UTF-16 code units. */
  start: number;
  /** Position of its sentence in the message; clauses of a sentence share it. */
  sentence: number;
  /** How it is joined to the previous clause, in lower case; empty at the start of a sentence. */
  joint: string;
  /** It is a question, or part of one. */
  asks: boolean;
}

/** A longer sentence is not a fact that someone states in passing. */
export const longestSentence = 600;

const starter =
  "(?:i(?:'?[mdl]|'?ve|'?ll)?|my|we(?:'?re|'?ve|'?ll)?|our|please|pls|call me|let'?s|don'?t|do not|use|from now on|going forward|remember|keep in mind|they call me)";
const asking =
  '(?:what|which|how|where|who|why|when|should|shall|is|are|am|do|does|did|can|could|would|will|may|any|so what|or (?:is|are|should))';
const coordinator = '(?:and|but|so|plus|also|yet|because|since|however|though|n)';
/** Words that only announce a statement: the colon after one does not end a clause. */
const label =
  '(?:remember|this|that|following|note|self|reference|record|forget|mind|memory|down|decision|choice|typo|correction|reminder|important|later)';
/** Commas, colons, coordinators and dashes surrounded by spaces, before the start of a new statement. */
const joints = new RegExp(
  `(?:\\s*(?:[,;]|(?<!\\b${label}):)\\s+(?:${coordinator}\\s+)?|\\s+[–—-]{1,2}\\s+|\\s+${coordinator}\\s+(?:now\\s+)?)(?=${starter}\\b)`,
  'giu',
);
const questionJoints = new RegExp(
  `\\s*[,;:–—]\\s+(?:(?:and|but|so)\\s+)?(?=${asking}\\b)|\\s+(?:so|and|but)\\s+(?=${asking}\\b)`,
  'giu',
);
const tagQuestion =
  /[,\s](?:right|correct|remember|ok(?:ay)?|no|yes|yeah|(?:do|is|are|am|was|were|have|has|did|would|should|could|can|will)n'?t (?:i|it|we|you|they|he|she)|(?:do|am|did|have) i)\s*\?+$/iu;

/** "When you write to me, use …", "As a dentist, I …": the first part makes no sense without the rest. */
const dependentOpening = /^(?:(?:please|so|and|also|well|but),? )?(?:when(?:ever)? you|as an? )/iu;

const sentencePattern = /[^.!?;\n…。！？]+(?:[.](?=\S)[^.!?;\n…。！？]*)*[.!?;…。！？]*/gu;
const abbreviation = /(?:^|\s)(?:mr|mrs|ms|dr|prof|st|e\.g|i\.e|vs|approx|no|jr|sr|\p{Lu})\.$/iu;

/** Returns the clauses of a text, in order. Skips sentences that are too long. */
export function splitClauses(text: string): Clause[] {
  return sentencesOf(text).flatMap(({ text: sentence, start }) =>
    sentence.length > longestSentence ? [] : clausesOf(sentence, start),
  );
}

export function sentencesOf(text: string): { text: string; start: number }[] {
  const sentences: { text: string; start: number }[] = [];
  let pending: { text: string; start: number } | undefined;
  for (const match of text.matchAll(sentencePattern)) {
    const joined: { text: string; start: number } =
      pending === undefined
        ? { text: match[0], start: match.index }
        : { text: text.slice(pending.start, match.index + match[0].length), start: pending.start };
    pending = undefined;
    if (joined.text.length <= longestSentence && abbreviation.test(joined.text.slice(-12))) pending = joined;
    else sentences.push(joined);
  }
  if (pending !== undefined) sentences.push(pending);
  return sentences.flatMap(({ text: raw, start }) => {
    const trimmed = raw.trim();
    return !/[\p{L}\p{N}]/u.test(trimmed) ? [] : [{ text: trimmed, start: start + raw.indexOf(trimmed) }];
  });
}

function clausesOf(sentence: string, at: number): Clause[] {
  const question = /\?\s*$/.test(sentence);
  const cuts = dependentOpening.test(sentence) ? [] : cutsOf(sentence, joints);
  const asked = question ? cutsOf(sentence, questionJoints) : [];
  const askedFrom = !question || tagQuestion.test(sentence) ? undefined : asked.at(-1)?.to;
  const places = [...cuts, ...asked].sort((a, b) => a.from - b.from || b.to - a.to);
  const clauses: Clause[] = [];
  let start = 0;
  let joint = '';
  for (const { from, to } of [...places, { from: sentence.length, to: sentence.length }]) {
    if (from < start) continue;
    const asks = question && (askedFrom === undefined || start >= askedFrom);
    const text = sentence.slice(start, from).trim();
    if (text !== '') clauses.push({ text, start: at + start, sentence: at, joint, asks });
    joint = sentence.slice(from, to).trim().toLowerCase();
    start = to;
  }
  return clauses;
}

function cutsOf(sentence: string, pattern: RegExp): { from: number; to: number }[] {
  return [...sentence.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}
