/** Properties of a memory apart from its words; bits of a memory's `traits`. */
export const trait = {
  /** Ends with a question, or nearly: the next message probably answers it. */
  asks: 1,
  /** Ends with a question mark: contains less information. */
  endsAsking: 2,
  /** Contains time expressions. */
  timed: 4,
  /** Said by an assistant and not by a person. */
  byAssistant: 8,
} as const;

const asks = /\?[^?]{0,60}$/;
const endsAsking = /\?["'”’)\s]*$/;
const timed =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:week|month|year|weekend|morning|afternoon|evening|spring|summer|autumn|fall|winter)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|weeks?|weekend|months?|years?|recently|since|in may|(?:19|20)\d\d)\b/i;

/** Long enough for all patterns that match at the end. */
const tailLength = 200;

export function traitsOf(text: string): number {
  const tail = text.slice(-tailLength);
  return (
    (asks.test(tail) ? trait.asks : 0) |
    (endsAsking.test(tail) ? trait.endsAsking : 0) |
    (timed.test(text) ? trait.timed : 0)
  );
}

const label = /^(\p{L}[\p{L}\p{M}\p{N} ._'’-]{0,38}):\s/u;
const labels = new RegExp(label.source, 'gmu');

/** Returns the speaker: the `Name: ` at the start of a text, unless other lines start with one too. */
export function speakerOf(text: string): string | undefined {
  const first = label.exec(text)?.[1];
  if (first === undefined) return undefined;
  let found = 0;
  for (const _ of text.matchAll(labels)) {
    found += 1;
    if (found > 1) return undefined;
  }
  return first;
}
