import type { GatewayFailure } from '../gateway/memory-gateway-error.js';
import type { MemoryReference } from '../gateway/memory-reference.js';

/** Curated memory at the start of a run. Frozen: changes made during the run are visible to the next run. */
export interface MemorySnapshot {
  /** MEMORY.md: the agent's notes. */
  readonly memory: string;
  /** USER.md: facts about the user. */
  readonly user: string;
}

export interface RecalledMemory {
  /** Sentences for the system prompt. The same in every run of a backend, regardless of what was recalled. */
  readonly rules: readonly string[];
  readonly snapshot?: MemorySnapshot;
  /** The agent's own notes, for the system prompt. */
  readonly notes?: readonly MemoryNote[];
  /** Untrusted texts, best first. They must not be part of the system prompt or the history. */
  readonly references: readonly MemoryReference[];
}

/** A text of a tier at the start of a run. It has passed the scanner. */
export interface MemoryNote {
  /** Label of the text, such as `PERSONA.md`. */
  readonly source: string;
  readonly text: string;
}

export interface RecallOutcome {
  scope: readonly string[];
  /** Number of usable results. */
  result_count: number;
  /** How many were left out because the model sees them in the conversation. Absent if none. */
  already_shown_count?: number;
  /** How many were left out because they could manipulate the model. Absent if none. */
  withheld_count?: number;
}

/** A call of a server that failed. `code` is the server's problem code, or NETWORK, TIMEOUT or PROTOCOL. */
export interface MemoryFailure {
  operation: 'recall' | 'remember';
  code: string;
  /** Status of the HTTP response, if there was one. */
  status?: number;
}

export interface TurnOutcome {
  session_id: string;
  message_count: number;
  changes?: readonly MessageChange[];
}

/** How a message differs from what was said. Members that are not there mean: not at all. */
export interface MessageChange {
  role: 'user' | 'assistant';
  /** Number of NUL characters, which are removed, and lone surrogates, which become U+FFFD. */
  invalid_characters?: number;
  /** Number of messages it was split into. */
  parts?: number;
  /** Number of characters in the parts from its middle that are not stored. */
  left_out_characters?: number;
}

/** The outcome of a call, or a note that was withheld. Contains no credentials and no texts. */
export type MemoryAuditEvent =
  | { type: 'memory_recall_succeeded'; payload: RecallOutcome }
  | { type: 'memory_recall_failed'; payload: MemoryFailure }
  | { type: 'memory_remember_succeeded'; payload: TurnOutcome }
  | { type: 'memory_remember_failed'; payload: MemoryFailure }
  | { type: 'memory_gateway_recall_succeeded'; payload: RecallOutcome }
  | { type: 'memory_gateway_recall_failed'; payload: GatewayFailure }
  | { type: 'memory_gateway_add_succeeded'; payload: TurnOutcome }
  | { type: 'memory_gateway_add_failed'; payload: GatewayFailure }
  | { type: 'memory_gateway_flush_succeeded'; payload: { session_id: string } }
  | { type: 'memory_gateway_flush_failed'; payload: GatewayFailure & { add_succeeded: true } }
  | { type: 'curated_memory_withheld'; payload: WithheldNote }
  | { type: 'provider_notes_withheld'; payload: WithheldNote }
  | { type: 'provider_notes_failed'; payload: { source: string; error: string } };

/** A part of a curated file, or of a provider's text, that the model does not see, because it could manipulate the model. */
export interface WithheldNote {
  file: string;
  /** Number of its first line. */
  line: number;
  category: string;
  rule: string;
}

/** Records an event. If it rejects, the run fails. */
export type MemoryAudit = (event: MemoryAuditEvent) => void | Promise<void>;

export interface RecallRequest {
  sessionId: string;
  prompt: string;
  audit: MemoryAudit;
  /** Texts of the conversation that the model sees in any case. Memories that only repeat them are not returned. */
  shown?: readonly string[];
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
 * A memory strategy. A failing gateway or server is reported as an audit event, never as an error: the run continues without it.
 * The operations reject if `audit` rejects, with the reason of an aborted signal, or if local files cannot be accessed.
 */
export interface MemoryBackend {
  /** Called once per run, before the model's messages are built. */
  recallBeforeRun(request: RecallRequest): Promise<RecalledMemory>;
  /** Called once per run that ended with an answer, with the user's prompt and the final answer. */
  persistAfterRun(turn: CompletedTurn): Promise<void>;
}
