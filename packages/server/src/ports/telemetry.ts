import type { FoundSecrets, ScanCategory } from '@memhall/core';

/** The parts of a recall that can take long. `load`: reading the index; `match`: comparing words and vectors, on the processor. */
export const recallStages = ['load', 'embed', 'match', 'fetch', 'rerank', 'outside'] as const;
export type RecallStage = (typeof recallStages)[number];

/** Reports the engine's work to the operators' metrics. Never throws and never waits. */
export interface Telemetry {
  /** Share of its limit, from 0 to 1, that a document uses after a write. */
  observeDocumentSize(bindingId: string, share: number): void;
  /** Counts a document write: `applied`, `replayed`, or the code of the error. */
  countDocumentWrite(bindingId: string, outcome: string): void;
  observeRecallStage(stage: RecallStage, seconds: number): void;
  observeEventSearch(seconds: number, results: number): void;
  /** Counts a search that recall answered instead of the outer index. `behind`: the index lacks events of the user. */
  countEventIndexFallback(reason: 'behind' | 'unavailable'): void;
  countReplay(outcome: 'completed' | 'failed'): void;
  /** Counts secrets that were removed before storing. */
  countRedactions(found: FoundSecrets): void;
  /** Counts a text that the scanner prevented from being stored (`write`) or from being shown to a model (`read`). */
  countBlocked(way: 'write' | 'read', category: ScanCategory): void;
  /** Counts a tool call by a model: `ok`, or the code of the error. */
  countToolCall(tool: string, outcome: string): void;
  /** Counts proposals of an extractor's model that broke the contract and were dropped. */
  countExtractionRefusals(extractor: string, reason: string, count: number): void;
  /** Counts an attempt to send a webhook what changed: `delivered`, `retried` later, or given up as `failed`. */
  countWebhook(outcome: 'delivered' | 'retried' | 'failed'): void;
  /** One attempt at a job: `completed`, `retried`, permanently `failed`, or `released` without being done. */
  observeJob(job: string, outcome: string, seconds: number): void;
}

/** For engines without metrics. */
export const noTelemetry: Telemetry = {
  observeDocumentSize: () => undefined,
  countDocumentWrite: () => undefined,
  observeRecallStage: () => undefined,
  observeEventSearch: () => undefined,
  countEventIndexFallback: () => undefined,
  countReplay: () => undefined,
  countRedactions: () => undefined,
  countBlocked: () => undefined,
  countToolCall: () => undefined,
  countExtractionRefusals: () => undefined,
  countWebhook: () => undefined,
  observeJob: () => undefined,
};
