import type { FactKind } from '../../../ports/extractor.js';

/** Something that moves a confidence, and by how much. */
export interface Weight {
  reason: string;
  change: number;
}

/** A fact on its way: said, but perhaps still to be taken back, corrected or repeated. */
export interface Candidate {
  kind: FactKind;
  rule: string;
  text: string;
  /** The part that a correction would replace; may be empty. */
  value: string;
  slot: string | undefined;
  base: number;
  weights: Weight[];
  /** Places of the messages that say it. */
  messages: number[];
  /** Place of its sentence in its message. */
  sentence: number;
  /** It announces that it corrects something. */
  corrects: boolean;
  /** Words that it says hold no longer: "instead of X", "not X". */
  replaced: string | undefined;
  past: boolean;
  yearly: boolean;
  supersedes?: string;
}
