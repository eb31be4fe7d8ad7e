import type { Tier } from '@memhall/core';

/** Version of the interface. New optional members keep the version; any other change needs a new literal. */
export const providerSpecification = 'provider/v1';

/**
 * Features beyond the four methods. A call for an undeclared feature must reject with ProviderInvalid, code
 * NOT_IMPLEMENTED.
 * - `read`: has the method `read`
 * - `data_subject`: can forget everything about a user by dataSubjectId
 * - `shared_append`: concurrent appends from several instances or processes lose nothing
 * - `quarantine`: stores withheld texts separately and shows a placeholder in their place
 * - `shared_crew`: all agents of a crew have the same CREW
 */
export const providerCapabilities = ['read', 'data_subject', 'shared_append', 'quarantine', 'shared_crew'] as const;
export type ProviderCapability = (typeof providerCapabilities)[number];

/** The owner of a provider's memory. A request with a different owner is rejected. */
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
  /** Has no default, so that logs show what was requested. */
  mode: RetainMode;
}

export interface RetainResult {
  /** Id for `forget`: the label of the text relative to its owner, such as `AGENT.md` or `daily/2026-05-21.md`. */
  id: string;
  /** UTF-8 size of the whole text after the write. */
  bytes: number;
  /** Present from 80 % of the tier's cap. */
  warning?: string | undefined;
}

export interface RecallRequest extends ProviderOwner {
  /** Absent or empty: all tiers. */
  tier?: Tier | '' | undefined;
  query: string;
  /** At least 1. Values above 20 count as 20. Default 20. */
  limit?: number | undefined;
}

export interface RecallSnippet {
  /** The label of the text, never a path. */
  source: string;
  /** At most 500 characters around the match. */
  snippet: string;
  /** Line of the match, starting at 1. */
  line?: number | undefined;
  /** 0 to 1. Scores of different providers are not comparable. */
  score?: number | undefined;
}

export interface RecallResult {
  /** Best first. */
  hits: RecallSnippet[];
  /** Labels of withheld texts, for operators and never for a model. Absent if there are none. */
  quarantined?: string[] | undefined;
}

export interface ForgetRequest extends ProviderOwner {
  /** Id from RetainResult. Exactly one of `id` and `dataSubjectId` must be given. */
  id?: string | undefined;
  /** A user id. Everything about this user is forgotten. */
  dataSubjectId?: string | undefined;
}

export interface ForgetResult {
  /** Number of texts actually removed; 0 if they did not exist any more. */
  removed: number;
  /** Proof that a user was forgotten, if the backend issues one. */
  receiptId?: string | undefined;
}

export interface HealthStatus {
  ok: boolean;
  /** The reason if not ok; absent otherwise. */
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
  /**
   * Empty if nothing was ever retained there. A withheld text is replaced by a placeholder that starts with
   * `[BLOCKED:`.
   */
  content: string;
  bytes: number;
}

/**
 * Storage of an agent's memory. Methods may be called at any time, also concurrently. All methods except `health`
 * reject with ProviderInvalid (the request must change), with ProviderTimeout or ProviderUnavailable (the request may
 * be retried), or with the signal's reason. A rejected call changed nothing, except that a change may have been made
 * before a ProviderTimeout or an abort.
 */
export interface Provider {
  readonly specification: typeof providerSpecification;
  readonly capabilities: readonly ProviderCapability[];
  /** Writes a text or appends to it on a new line. When it resolves, the text is durable and visible to `recall`. */
  retain(request: RetainRequest, signal?: AbortSignal): Promise<RetainResult>;
  recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallResult>;
  forget(request: ForgetRequest, signal?: AbortSignal): Promise<ForgetResult>;
  /** Never rejects. Resolves within 200 ms for local memory and within 1000 ms for remote memory. */
  health(signal?: AbortSignal): Promise<HealthStatus>;
  /** Returns a whole text. Present if the capability `read` is declared. */
  read?(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult>;
}
