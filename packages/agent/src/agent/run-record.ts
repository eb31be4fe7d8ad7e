import { type Json, uuidv7 } from '@memhall/core';
import type { ModelMessage } from 'ai';
import type { SessionEvent, SessionStore } from '../sessions/session-store.js';
import { runCompleted, runFailed } from './session-history.js';

interface RunRecordOptions {
  sessions: SessionStore;
  sessionId: string;
  now: () => number;
  /** Redacts secrets from everything that is stored. */
  redact: <T>(value: T) => T;
}

/** Records the events of one run as they happen. */
export class RunRecord {
  readonly runId: string;
  readonly #options: RunRecordOptions;

  constructor(options: RunRecordOptions) {
    this.#options = options;
    this.runId = uuidv7(options.now());
  }

  async say(messages: readonly ModelMessage[]): Promise<void> {
    await this.#append(messages.map((message) => this.#message(message)));
  }

  /** Records events that the model does not see. */
  async note(...events: readonly { type: string; payload: object }[]): Promise<void> {
    await this.#append(events.map(({ type, payload }) => this.#hidden(type, payload)));
  }

  /** Records the last messages and the end of the run in one append. */
  async complete(messages: readonly ModelMessage[], finishReason: string): Promise<void> {
    await this.#append([
      ...messages.map((message) => this.#message(message)),
      this.#hidden(runCompleted, { finish_reason: finishReason }),
    ]);
  }

  /** Records only the name of the error, because its message may quote anything. */
  async fail(error: unknown): Promise<void> {
    await this.#append([this.#hidden(runFailed, { error: error instanceof Error ? error.name : typeof error })]);
  }

  async #append(events: readonly SessionEvent[]): Promise<void> {
    const { sessions, sessionId, redact } = this.#options;
    await sessions.append(sessionId, redact(events));
  }

  #message(message: ModelMessage): SessionEvent {
    return { ...this.#event('message', withoutReasoning(message)), context_visible: true };
  }

  #hidden(type: string, payload: object): SessionEvent {
    return { ...this.#event(type, payload), context_visible: false };
  }

  #event(type: string, payload: object): Omit<SessionEvent, 'context_visible'> {
    const now = this.#options.now();
    return { id: uuidv7(now), run_id: this.runId, at: new Date(now).toISOString(), type, payload: payload as Json };
  }
}

function withoutReasoning(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') };
}
