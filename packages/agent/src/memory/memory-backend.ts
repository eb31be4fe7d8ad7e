import type { GatewayFailure } from '../gateway/memory-gateway-error.js';
import type { MemoryReference } from '../gateway/memory-reference.js';

/** Curated memory as it was when a run began. Frozen: what is written during the run is seen by the next one. */
export interface MemorySnapshot {
  /** MEMORY.md: what the agent noted. */
  readonly memory: string;
  /** USER.md: who the user is. */
  readonly user: string;
}

export interface RecalledMemory {
  /** Sentences for the system prompt; the same in every run of a backend, whatever was recalled. */
  readonly rules: readonly string[];
  readonly snapshot?: MemorySnapshot;
  /** Untrusted texts, best first. They belong outside the system prompt and in no history. */
  readonly references: readonly MemoryReference[];
}

/** What became of a call to the gateway. Holds no credential and no text of anybody. */
export type MemoryAuditEvent =
  | { type: 'memory_gateway_recall_succeeded'; payload: { scope: readonly string[]; result_count: number } }
  | { type: 'memory_gateway_recall_failed'; payload: GatewayFailure }
  | { type: 'memory_gateway_add_succeeded'; payload: { session_id: string; message_count: number } }
  | { type: 'memory_gateway_add_failed'; payload: GatewayFailure }
  | { type: 'memory_gateway_flush_succeeded'; payload: { session_id: string } }
  | { type: 'memory_gateway_flush_failed'; payload: GatewayFailure & { add_succeeded: true } };

/** Writes an event down. What it rejects with is not swallowed: it ends the run. */
export type MemoryAudit = (event: MemoryAuditEvent) => void | Promise<void>;

export interface RecallRequest {
  sessionId: string;
  prompt: string;
  audit: MemoryAudit;
  signal?: AbortSignal;
}

export interface CompletedTurn {
  sessionId: string;
  user: SpokenText;
  assistant: SpokenText;
  audit: MemoryAudit;
}

export interface SpokenText {
  content: string;
  /** Unix time in milliseconds. */
  at: number;
}

/**
 * A way to remember. A gateway that fails is an audit event, never an error: the run goes on without it. The operations
 * reject with what `audit` rejects with, with the reason of an aborted signal, and where the machine's own files fail.
 */
export interface MemoryBackend {
  /** Called once per run, before the model's messages are built. */
  recallBeforeRun(request: RecallRequest): Promise<RecalledMemory>;
  /** Called once per run that ended with an answer, with what the user asked and what was answered at last. */
  persistAfterRun(turn: CompletedTurn): Promise<void>;
}
