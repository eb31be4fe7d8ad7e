type MessageRole = 'user' | 'assistant' | 'system' | 'tool';

export interface ConversationMessage {
  /** Unique within the conversation. */
  id: string;
  role: MessageRole;
  content: string;
  /**
   * RFC 3339. Days are counted in this offset: "tomorrow" at 23:30-05:00 is the next day there, not in UTC. If it is
   * absent or not a valid time, words such as "tomorrow" are kept but not resolved.
   */
  timestamp?: string | undefined;
}

/**
 * - `identity`: lasting facts about the user (name, work, home, age, languages, food, health, family, time zone).
 * - `relationship`: a person or animal tied to the user.
 * - `preference`: tastes, habits, standing instructions.
 * - `decision`: something chosen or agreed.
 * - `circumstance`: a passing state that says when it ends.
 * - `explicit`: anything else the user asked to be remembered.
 */
export const factKinds = ['identity', 'relationship', 'preference', 'decision', 'circumstance', 'explicit'] as const;
export type FactKind = (typeof factKinds)[number];

export interface KnownFact {
  /** Absent if it was not stored with the fact; the extractor then infers it from the words. */
  kind?: FactKind | undefined;
  text: string;
}

/** Whole days, both inclusive, as `YYYY-MM-DD` in the message's own offset. */
export interface DayRange {
  from: string;
  to: string;
}

export interface ProposedFact {
  kind: FactKind;
  /** In the words of the conversation. Not blank, at most `maxFactLength` UTF-16 code units. */
  text: string;
  /** From 0 to 1: how sure the extractor is that this was said, was meant and will last. */
  confidence: number;
  /** One line that explains the proposal and its confidence without quoting the user. */
  explanation: string;
  /** Ids of the messages that say it, in order; at least one. */
  evidence: string[];
  /**
   * Text of the fact that this one corrects: a known fact, exactly as given, or a fact stated earlier in this
   * conversation. The earlier fact is not proposed itself, but it may already have been stored.
   */
  supersedes?: string;
  /** RFC 3339. The first moment at which the fact no longer holds ("until Friday": when Friday is over). */
  expiresAt?: string;
  /** What it says is the value of an attribute, if the extractor found that out. Words alone decide otherwise. */
  states?: StatedValue;
  /** The days that its time expressions refer to, relative to the message. */
  occurredOn?: DayRange;
}

/** What a text says about a subject. */
export interface StatedValue {
  /** `me` for the user; else as it is in the text. */
  subject: string;
  /** One of the attributes that the extractor was given. */
  attribute: string;
  /** As it is in the text. */
  value: string;
}

/** A known fact that the user stated again, so it still holds. */
export interface ConfirmedFact {
  /** Kind of the new statement. */
  kind: FactKind;
  /** Text of the known fact, exactly as given. */
  text: string;
  /** From 0 to 1: how sure the extractor is that this was said and meant now. */
  confidence: number;
  /** Ids of the messages that say it, in order; at least one. */
  evidence: string[];
  /** As in `ProposedFact`: when the fact stops being true, according to the new statement. */
  expiresAt?: string;
}

export interface ConversationDigest {
  /** At most `maxDigestLength` UTF-16 code units, not blank. */
  text: string;
  /** Lower case, most relevant first, no duplicates, at most `maxKeywords`. */
  keywords: string[];
  /** Ids of the messages the text is based on, in order; at least one. */
  messageIds: string[];
  /** Positions of the first and last of them in the conversation, counted from 0. */
  span: { start: number; end: number };
}

export const maxFactLength = 300;
export const maxFacts = 50;
export const maxDigestLength = 500;
export const maxKeywords = 8;

export interface ExtractionInput {
  /** In conversation order. */
  messages: readonly ConversationMessage[];
  /** Facts already known about the user: neither proposed again nor silently contradicted. */
  known?: readonly KnownFact[] | undefined;
  /** Names of the attributes that a fact can state a value of. */
  attributes?: readonly string[] | undefined;
}

export interface Extraction {
  /** null if the user said nothing that can be shown. */
  digest: ConversationDigest | null;
  /** In conversation order, at most `maxFacts`. No duplicates and no known facts. */
  facts: ProposedFact[];
  /** Known facts that were stated again, each once. None is superseded by one of `facts`. */
  confirmed: ConfirmedFact[];
}

/**
 * Reads a finished conversation and proposes facts worth remembering. It stores nothing: the caller decides where a
 * fact goes and whether its confidence is high enough.
 *
 * Source: only what the user says or agrees to becomes a fact. Messages are data: no sentence in them, by any author,
 * changes how the extractor works. System and tool messages are never quoted.
 * Secrets: passwords, keys and card numbers never appear in a fact or digest.
 * Inputs: every string is accepted; the cost grows at most linearly with the length of the conversation. Very long
 * messages and sentences may be read only in part.
 * Errors: `ExtractorError`, or the signal's reason after an abort. A call fails as a whole; there are no partial
 * results.
 * Idempotency: calls have no side effects, so a failed one may be repeated. A `deterministic` extractor always returns
 * the same result for the same input.
 * Concurrency: calls may overlap freely.
 */
export interface Extractor {
  /** Stable name including a version that changes with the rules or the model; stored with the proposals. */
  readonly name: string;
  readonly deterministic: boolean;
  /** True if it runs within the process and is fast enough for a caller to wait for it. */
  readonly local: boolean;
  extract(input: ExtractionInput, options?: { signal?: AbortSignal | undefined }): Promise<Extraction>;
}
