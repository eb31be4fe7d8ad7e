import type { EmbedderErrorCode } from '../../ports/embedder-error.js';
import type { EngineOptions } from './load-engine.js';

export interface WorkerInput {
  options: EngineOptions;
  /** One shared 32-bit flag, see `BUSY`. */
  state: Int32Array;
}

/** Set by the client before it starts the worker or sends a request; reset by the worker when it replies. */
export const BUSY = 1;
export const IDLE = 0;

/** Sent to the worker one at a time: the next only after the reply to the last. */
export type WorkerRequest = { type: 'run'; text: string; passage?: string | undefined } | { type: 'stop' };

/** `ready` or `failed` once after the start, then one `numbers` or `failed` per `run`. */
export type WorkerReply =
  | { type: 'ready'; runtime: string; size: number; note: string | undefined }
  | { type: 'numbers'; numbers: Float32Array }
  | { type: 'failed'; code: EmbedderErrorCode; message: string };
