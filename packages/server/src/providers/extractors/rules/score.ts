import type { Candidate, Weight } from './candidate.js';
import { phrases } from './phrases.js';

function anyOf(list: string): RegExp {
  return new RegExp(`\\b${phrases(list)}\\b`, 'iu');
}

/** Phrases before a statement that the speaker is not fully sure of. */
export const hedgedOpening = phrases(`
  i think, i guess, i suppose, i believe, i feel like, i'd say, i would say, maybe, perhaps, probably, possibly, it seems,
  i assume, if i remember correctly, as far as i know, afaik, i'm pretty sure, most likely
`);
const doubted = anyOf("maybe, perhaps, possibly, might, not sure, not certain, i'm unsure, dunno, could be");
const hedged = anyOf('i think, i guess, i suppose, i assume, it seems, as far as i know, afaik');
const softened = anyOf(`
  probably, i believe, i feel like, i'd say, sometimes, usually, often, mostly, generally, normally, typically, kind of,
  kinda, sort of, sorta, a bit, tend to, more or less, most likely, at the moment, these days
`);
const emphasised = anyOf('always, never, absolutely, definitely, strictly, severely, really, strongly');

/** Below this, a candidate is not even worth asking about. */
export const leastConfidence = 0.5;
const mostConfidence = 0.98;

/** Returns how the words of a clause change the confidence. */
export function weighWords(text: string): Weight[] {
  const weights: Weight[] = [];
  if (doubted.test(text)) weights.push({ reason: 'doubted', change: -0.3 });
  else if (hedged.test(text)) weights.push({ reason: 'hedged', change: -0.2 });
  else if (softened.test(text)) weights.push({ reason: 'softened', change: -0.06 });
  if (emphasised.test(text)) weights.push({ reason: 'emphasised', change: 0.03 });
  return weights;
}

export function scoreOf({ base, weights }: Candidate): number {
  const sum = weights.reduce((total, { change }) => total + change, base);
  return Math.round(Math.min(mostConfidence, Math.max(0, sum)) * 100) / 100;
}

/** `identity.home 0.92; hedged -0.20` */
export function explain({ rule, base, weights }: Candidate): string {
  const signed = (change: number) => `${change < 0 ? '' : '+'}${change.toFixed(2)}`;
  return [`${rule} ${base.toFixed(2)}`, ...weights.map(({ reason, change }) => `${reason} ${signed(change)}`)].join(
    '; ',
  );
}
