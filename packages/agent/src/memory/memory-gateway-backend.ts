import type { GatewayConfiguration } from '../configuration/memory-configuration.js';
import { MemoryGatewayClient } from '../gateway/memory-gateway-client.js';
import { type GatewayFailure, MemoryGatewayError } from '../gateway/memory-gateway-error.js';
import { toGatewayMessages } from './gateway-messages.js';
import type { CompletedTurn, MemoryBackend, RecalledMemory, RecallRequest } from './memory-backend.js';
import { untrustedMemoryRule } from './recall-message.js';
import { toStorableText } from './storable-text.js';
import { withoutRepeats } from './without-repeats.js';

/** Maximum length of a gateway query. The start of a longer prompt is enough to find its topic. */
const maxQueryCharacters = 20_000;

export interface MemoryGatewayBackendOptions {
  client?: MemoryGatewayClient;
  /** Sender id of the answers. Default `beaver`. */
  assistantId?: string;
}

/** Recalls with a search before the run. Stores the turn with one add and one flush after it. */
export class MemoryGatewayBackend implements MemoryBackend {
  readonly #configuration: GatewayConfiguration;
  readonly #client: MemoryGatewayClient;
  readonly #assistantId: string;

  constructor(configuration: GatewayConfiguration, options: MemoryGatewayBackendOptions = {}) {
    this.#configuration = configuration;
    this.#client = options.client ?? new MemoryGatewayClient(configuration);
    this.#assistantId = options.assistantId ?? 'beaver';
  }

  async recallBeforeRun({ sessionId, prompt, audit, shown = [], signal }: RecallRequest): Promise<RecalledMemory> {
    const query = toStorableText(prompt.slice(0, maxQueryCharacters)).text.slice(0, maxQueryCharacters).toWellFormed();
    const found = await attempt(this.#client.search({ conversationId: sessionId, query }, signal));
    if ('failure' in found) {
      await audit({ type: 'memory_gateway_recall_failed', payload: found.failure });
      return { rules: [untrustedMemoryRule], references: [] };
    }
    const references = withoutRepeats(found.answer, {
      storedSession: sessionOf(sessionId),
      shown,
      prompt,
      isAlwaysShown: ({ resource_uri }) => resource_uri !== undefined,
    });
    const repeats = found.answer.length - references.length;
    await audit({
      type: 'memory_gateway_recall_succeeded',
      payload: {
        scope: this.#configuration.scope,
        result_count: found.answer.length,
        ...(repeats === 0 ? {} : { already_shown_count: repeats }),
      },
    });
    return { rules: [untrustedMemoryRule], references };
  }

  async persistAfterRun({ sessionId, user, assistant, audit }: CompletedTurn): Promise<void> {
    const conversation = sessionOf(sessionId);
    const { messages, changes } = toGatewayMessages({
      user: { ...user, senderId: this.#configuration.userId },
      assistant: { ...assistant, senderId: this.#assistantId },
    });
    const added = await attempt(this.#client.add(conversation, messages));
    if ('failure' in added) {
      await audit({ type: 'memory_gateway_add_failed', payload: added.failure });
      return;
    }
    await audit({
      type: 'memory_gateway_add_succeeded',
      payload: {
        session_id: conversation,
        message_count: messages.length,
        ...(changes.length === 0 ? {} : { changes }),
      },
    });
    const flushed = await attempt(this.#client.flush(conversation));
    await audit(
      'failure' in flushed
        ? { type: 'memory_gateway_flush_failed', payload: { ...flushed.failure, add_succeeded: true } }
        : { type: 'memory_gateway_flush_succeeded', payload: { session_id: conversation } },
    );
  }
}

/** Returns the id that a session of the agent has in the gateway. */
function sessionOf(sessionId: string): string {
  return `chat:${sessionId}`;
}

async function attempt<T>(call: Promise<T>): Promise<{ answer: T } | { failure: GatewayFailure }> {
  try {
    return { answer: await call };
  } catch (error) {
    if (error instanceof MemoryGatewayError) return { failure: error.failure };
    throw error;
  }
}
