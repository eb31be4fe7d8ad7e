import type { FactKind, StatedValue } from '../../../ports/extractor.js';
import type { Language } from './languages/language.js';

/** An adjustment of a confidence, with its reason. */
export interface Weight {
  reason: string;
  change: number;
}

/** A potential fact: stated, but possibly still to be withdrawn, corrected or repeated. */
export interface Candidate {
  kind: FactKind;
  rule: string;
  text: string;
  /** The part that a correction would replace; may be empty. */
  value: string;
  slot: string | undefined;
  base: number;
  weights: Weight[];
  /** Indices of the messages that say it. */
  messages: number[];
  /** Position of its sentence in its message. */
  sentence: number;
  /** It announces that it corrects something. */
  corrects: boolean;
  /** Words that it says no longer apply: "instead of X", "not X". */
  replaced: string | undefined;
  language: Language;
  past: boolean;
  yearly: boolean;
  supersedes?: string;
  states?: StatedValue;
}
