import type { FoundSecrets, ScanCategory } from '@memhall/core';

/** What the engine reports of its work, for operators' metrics. Never throws, never waits. */
export interface Telemetry {
  /** Share of its limit, 0 … 1, that a document uses after a write. */
  observeDocumentSize(bindingId: string, share: number): void;
  /** A write of a document: `applied`, `replayed`, or the code it was refused with. */
  countDocumentWrite(bindingId: string, outcome: string): void;
  observeEventSearch(seconds: number, results: number): void;
  countReplay(outcome: 'completed' | 'failed'): void;
  /** Secrets that were kept out of what was stored. */
  countRedactions(found: FoundSecrets): void;
  /** A memory that was found and kept from a model. */
  countBlocked(category: ScanCategory): void;
  /** What an extractor's model proposed outside the contract, and was therefore left out. */
  countExtractionRefusals(extractor: string, reason: string, count: number): void;
  /** One attempt at a job: `completed`, `retried`, `failed` for good, or `released` undone. */
  observeJob(job: string, outcome: string, seconds: number): void;
}

/** For engines that nobody watches. */
export const noTelemetry: Telemetry = {
  observeDocumentSize: () => undefined,
  countDocumentWrite: () => undefined,
  observeEventSearch: () => undefined,
  countReplay: () => undefined,
  countRedactions: () => undefined,
  countBlocked: () => undefined,
  countExtractionRefusals: () => undefined,
  observeJob: () => undefined,
};
