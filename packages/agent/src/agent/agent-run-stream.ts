import type { AgentRunResult } from './agent-loop.js';

/** What a run streams, in order. The last part of a completed run is its result. */
export type AgentRunPart =
  /** Text as the model writes it: interim text of a step that ends with tool calls, or the final answer. */
  | { type: 'text'; text: string }
  | { type: 'tool_call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool_result'; toolCallId: string; toolName: string; output: unknown }
  | { type: 'tool_failed'; toolCallId: string; toolName: string; error: string }
  | { type: 'result'; result: AgentRunResult };

/** Receives the parts of a run before its result. */
export type PartListener = (part: Exclude<AgentRunPart, { type: 'result' }>) => void;

/**
 * A run in progress. Iterate over it once to get its parts; if the run fails, the iteration ends with its error.
 * Leaving the iteration early cancels the run. A stream that nobody iterates over runs to its end.
 */
export interface AgentRunStream extends AsyncIterable<AgentRunPart> {
  readonly sessionId: string;
  /** The same outcome as that of `run`. Rejections need not be handled if the parts are read. */
  readonly result: Promise<AgentRunResult>;
}

/** Starts a run and returns its stream. */
export function startRunStream(
  sessionId: string,
  signal: AbortSignal | undefined,
  start: (onPart: PartListener, signal: AbortSignal) => Promise<AgentRunResult>,
): AgentRunStream {
  const left = new AbortController();
  const parts = new PartQueue();
  const result = start(
    (part) => parts.add(part),
    signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]),
  );
  const over = result.then(
    (whole) => {
      parts.add({ type: 'result', result: whole });
      parts.end();
    },
    () => parts.end(),
  );
  const iterate = async function* (): AsyncGenerator<AgentRunPart, void> {
    try {
      yield* parts.take();
      await result;
    } finally {
      left.abort(new DOMException('The stream of the run was closed.', 'AbortError'));
      await over;
    }
  };
  return { sessionId, result, [Symbol.asyncIterator]: iterate };
}

/** Holds parts until they are taken. Never blocks the run: a slow reader must not keep its session busy. */
class PartQueue {
  readonly #parts: AgentRunPart[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  add(part: AgentRunPart): void {
    this.#parts.push(part);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *take(): AsyncGenerator<AgentRunPart, void> {
    for (;;) {
      const waiting = this.#parts.splice(0);
      yield* waiting;
      if (waiting.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
