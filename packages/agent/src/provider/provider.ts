import type { Tier } from '@memhall/core';

/** Tells versions of the interface apart. It grows by optional members only; anything else is another literal. */
export const providerSpecification = 'provider/v1';

/**
 * What an implementation does beyond the four methods. What is not declared must answer with ProviderInvalid, code
 * NOT_IMPLEMENTED, where it has a call of its own.
 * - `read`: has `read`
 * - `data_subject`: forgets everything about a user, by dataSubjectId
 * - `shared_append`: appends lose nothing when several instances or processes make them at once
 * - `quarantine`: keeps what it withholds apart, with a placeholder in its stead
 */
export const providerCapabilities = ['read', 'data_subject', 'shared_append', 'quarantine'] as const;
export type ProviderCapability = (typeof providerCapabilities)[number];

/** Whose memory a provider keeps. A request that names somebody else is refused. */
export interface ProviderOwner {
  readonly workspaceId: string;
  readonly agentId?: string | undefined;
  readonly crewId?: string | undefined;
}

export const retainModes = ['replace', 'append'] as const;
export type RetainMode = (typeof retainModes)[number];

export interface RetainRequest extends ProviderOwner {
  tier: Tier;
  /** A date in `daily`, a slug in `peers`; ignored elsewhere. */
  key?: string | undefined;
  content: string;
  /** There is no default: a log must show what was asked for. */
  mode: RetainMode;
}

export interface RetainResult {
  /** For `forget`. The label of the text relative to its owner: `AGENT.md`, `daily/2026-05-21.md`. */
  id: string;
  /** Of the whole text after writing, in UTF-8. */
  bytes: number;
  /** Said from 80 % of the tier's cap on. */
  warning?: string | undefined;
}

export interface RecallRequest extends ProviderOwner {
  /** Absent or empty: all tiers. */
  tier?: Tier | '' | undefined;
  query: string;
  /** From 1; more than 20 counts as 20. Absent: 20. */
  limit?: number | undefined;
}

export interface RecallSnippet {
  /** The label of the text, never a path. */
  source: string;
  /** 500 characters at most, around the match. */
  snippet: string;
  /** Of the match, counted from 1. */
  line?: number | undefined;
  /** 0 to 1; not to be compared with another provider's. */
  score?: number | undefined;
}

export interface RecallResult {
  /** Best first. */
  hits: RecallSnippet[];
  /** Labels of texts that are withheld: for operators, never for a model. Absent: none. */
  quarantined?: string[] | undefined;
}

export interface ForgetRequest extends ProviderOwner {
  /** From RetainResult. Exactly one of `id` and `dataSubjectId` must be given. */
  id?: string | undefined;
  /** A user id: everything about the user goes. */
  dataSubjectId?: string | undefined;
}

export interface ForgetResult {
  /** What was really removed; 0 when it was gone already. */
  removed: number;
  /** Proof that a user was forgotten, where the memory gives one. */
  receiptId?: string | undefined;
}

export interface HealthStatus {
  ok: boolean;
  /** Why not; absent when ok. */
  message?: string | undefined;
  /** RFC 3339 */
  checkedAt: string;
}

export interface ReadRequest extends ProviderOwner {
  tier: Tier;
  key?: string | undefined;
}

export interface ReadResult {
  id: string;
  /** Empty when nothing was ever retained there. What is withheld reads as a placeholder that begins `[BLOCKED:`. */
  content: string;
  bytes: number;
}

/**
 * Where an agent's memory is kept. Every method may be called at any time, also while others are under way. Those with a
 * result reject with ProviderInvalid (the request must change), ProviderTimeout or ProviderUnavailable (it may be tried
 * again), or with the signal's reason; then nothing was changed, except that after a ProviderTimeout or an abort a change
 * may have been made without an answer.
 */
export interface Provider {
  readonly specification: typeof providerSpecification;
  readonly capabilities: readonly ProviderCapability[];
  /** Writes a text, or adds to it on a new line. When it resolves the text is durable, and found by `recall`. */
  retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult>;
  recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult>;
  forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult>;
  /** Never rejects, and has a deadline of its own: 200 ms where the memory is local, 1000 ms where it is remote. */
  health(signal?: AbortSignal): Promise<HealthStatus>;
  /** A whole text; there with the capability `read`. */
  read?(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult>;
}
