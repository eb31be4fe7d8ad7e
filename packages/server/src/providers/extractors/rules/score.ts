import type { Candidate, Weight } from './candidate.js';
import type { Certainty } from './languages/language.js';
import { languages } from './languages/languages.js';

/** Below this, a candidate is not even worth asking about. */
export const leastConfidence = 0.5;
const mostConfidence = 0.98;

/** Returns how the words of a clause change the confidence. */
export function weighWords(text: string): Weight[] {
  const weights: Weight[] = [];
  const has = (what: keyof Certainty) => languages.some(({ certainty }) => certainty[what].test(text));
  if (has('doubted')) weights.push({ reason: 'doubted', change: -0.3 });
  else if (has('hedged')) weights.push({ reason: 'hedged', change: -0.2 });
  else if (has('softened')) weights.push({ reason: 'softened', change: -0.06 });
  if (has('emphasised')) weights.push({ reason: 'emphasised', change: 0.03 });
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
