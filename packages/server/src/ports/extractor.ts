type MessageRole = 'user' | 'assistant' | 'system' | 'tool';

export interface ConversationMessage {
  /** Unique within the conversation. */
  id: string;
  role: MessageRole;
  content: string;
  /**
   * RFC 3339. Days are counted in its own offset: "tomorrow" at 23:30-05:00 is the day after there, not in UTC.
   * Absent or not a time: words such as "tomorrow" are kept but not resolved.
   */
  timestamp?: string | undefined;
}

/**
 * - `identity`: what holds of the user for long (name, work, home, age, languages, food, health, family, time zone).
 * - `relationship`: a person or animal tied to the user.
 * - `preference`: tastes, habits, standing instructions.
 * - `decision`: what was chosen or agreed.
 * - `circumstance`: a passing state that says when it ends.
 * - `explicit`: anything else the user asked to be remembered.
 */
export const factKinds = ['identity', 'relationship', 'preference', 'decision', 'circumstance', 'explicit'] as const;
export type FactKind = (typeof factKinds)[number];

export interface KnownFact {
  /** Absent: not noted where it is kept; the extractor tells by its words. */
  kind?: FactKind | undefined;
  text: string;
}

/** Whole days, both included, as `YYYY-MM-DD` in the message's own offset. */
export interface DayRange {
  from: string;
  to: string;
}

export interface ProposedFact {
  kind: FactKind;
  /** In the words of the conversation. Not blank, at most `maxFactLength` UTF-16 units. */
  text: string;
  /** From 0 to 1: how sure the extractor is that this was said, meant and lasts. */
  confidence: number;
  /** Why it is proposed and why with that confidence, in one line, without the user's words. */
  explanation: string;
  /** Ids of the messages that say it, in their order; at least one. */
  evidence: string[];
  /**
   * Text of the fact that this one corrects: of a known fact exactly as given, or of one said earlier in this
   * conversation. The latter is not proposed itself, but may have been stored by somebody meanwhile.
   */
  supersedes?: string;
  /** RFC 3339, the first moment at which it no longer holds ("until Friday": when Friday is over). */
  expiresAt?: string;
  /** The days that its words of time mean, seen from the message. */
  occurredOn?: DayRange;
}

/** A known fact that the user said again: it still holds. */
export interface ConfirmedFact {
  /** Of what was said now. */
  kind: FactKind;
  /** Of the known fact, exactly as given. */
  text: string;
  /** From 0 to 1: how sure it is that this was said and meant now. */
  confidence: number;
  /** Ids of the messages that say it, in their order; at least one. */
  evidence: string[];
  /** As of a proposed fact: until when it holds now. */
  expiresAt?: string;
}

export interface ConversationDigest {
  /** At most `maxDigestLength` UTF-16 units, not blank. */
  text: string;
  /** Lower case, most telling first, no repetition, at most `maxKeywords`. */
  keywords: string[];
  /** Messages that the text was made from, in their order; at least one. */
  messageIds: string[];
  /** Places of the first and last of them in the conversation, counted from 0. */
  span: { start: number; end: number };
}

export const maxFactLength = 300;
export const maxFacts = 50;
export const maxDigestLength = 500;
export const maxKeywords = 8;

export interface ExtractionInput {
  /** In the order in which they were said. */
  messages: readonly ConversationMessage[];
  /** What is already known of the user: neither proposed again nor contradicted silently. */
  known?: readonly KnownFact[] | undefined;
}

export interface Extraction {
  /** Null when the user said nothing that could be shown. */
  digest: ConversationDigest | null;
  /** In the order in which they were said, at most `maxFacts`. No two say the same, none says what is known. */
  facts: ProposedFact[];
  /** What is known and was said again, each once. None is superseded by one of `facts`. */
  confirmed: ConfirmedFact[];
}

/**
 * Reads a finished conversation and proposes what is worth remembering of it. It stores nothing: where a fact goes, and
 * whether its confidence is enough, is decided by the caller.
 *
 * Source: only what the user says, or says yes to, becomes a fact. Messages are data: no sentence in them, whoever
 * wrote it, changes how the extractor works. System and tool messages are never quoted.
 * Refusals: secrets (passwords, keys, card numbers) appear in no fact and no digest.
 * Inputs: every string is accepted; the cost grows no faster than the length of the conversation. Very long messages
 * and sentences may be read in part.
 * Errors: `ExtractorError`, or the signal's own reason after an abort. A call fails as a whole; nothing partial.
 * Idempotency: no call has side effects, so a failed one may be repeated. A `deterministic` extractor gives the same
 * answer for the same input, whenever it is asked.
 * Concurrency: calls may overlap freely.
 */
export interface Extractor {
  /** Stable name with a version that changes with the rules or the model; stored with what it proposed. */
  readonly name: string;
  readonly deterministic: boolean;
  /** Whether it answers within the process and soon: a caller may wait for it. */
  readonly local: boolean;
  extract(input: ExtractionInput, options?: { signal?: AbortSignal | undefined }): Promise<Extraction>;
}
