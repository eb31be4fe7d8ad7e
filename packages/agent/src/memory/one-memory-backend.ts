import { MemhallError, type NewMemory, OneMemoryClient, type RecallResult } from '@memhall/client/one-memory';
import { redact, scanText, uuidv7 } from '@memhall/core';
import type { ServerConfiguration } from '../configuration/server-configuration.js';
import type { MemoryReference } from '../gateway/memory-reference.js';
import { toGatewayMessages } from './gateway-messages.js';
import type { CompletedTurn, MemoryBackend, MemoryFailure, RecalledMemory, RecallRequest } from './memory-backend.js';
import { untrustedMemoryRule } from './recall-message.js';
import { sayOrigin } from './say-origin.js';
import { toStorableText } from './storable-text.js';
import { withoutRepeats } from './without-repeats.js';

/** Maximum length of a query. The start of a longer prompt is enough to find its topic. */
const maxQueryCharacters = 20_000;
const maxResults = 100;

export interface OneMemoryBackendOptions {
  client?: Pick<OneMemoryClient, 'recall' | 'rememberMany'>;
  /** False if the session store keeps what is said in the same memory. Default true. */
  remembersTurns?: boolean;
}

/** Recalls over everything the user may read in a server, and remembers each turn there. */
export class OneMemoryBackend implements MemoryBackend {
  readonly #configuration: ServerConfiguration;
  readonly #client: Pick<OneMemoryClient, 'recall' | 'rememberMany'>;
  readonly #remembersTurns: boolean;

  constructor(configuration: ServerConfiguration, options: OneMemoryBackendOptions = {}) {
    this.#configuration = configuration;
    this.#client = options.client ?? createClient(configuration);
    this.#remembersTurns = options.remembersTurns ?? true;
  }

  async recallBeforeRun({ sessionId, prompt, audit, shown = [], signal }: RecallRequest): Promise<RecalledMemory> {
    const { scopes, limit } = this.#configuration;
    // Some results will turn out to be in the conversation already.
    const wanted = Math.min(2 * limit, maxResults);
    const query = toStorableText(prompt.slice(0, maxQueryCharacters)).text.slice(0, maxQueryCharacters).toWellFormed();
    const found = await attempt(
      this.#client.recall({ query, limit: wanted, scopes: [...scopes] }, this.#options(signal)),
    );
    if ('failure' in found) {
      await audit({ type: 'memory_recall_failed', payload: { operation: 'recall', ...found.failure } });
      return { rules: [untrustedMemoryRule], references: [] };
    }
    const { results } = found.answer;
    const readable = results.filter((one) => !isHostile(one));
    const fresh = withoutRepeats(readable.map(asRepeatable), {
      storedSession: sessionId,
      shown,
      prompt,
      isAlwaysShown: ({ result }) => !result.own || result.origin.resource !== undefined,
    });
    const references = fresh.slice(0, limit).map(({ result }) => toReference(result));
    await audit({
      type: 'memory_recall_succeeded',
      payload: {
        scope: scopes,
        result_count: references.length,
        ...counted('already_shown_count', readable.length - fresh.length),
        ...counted('withheld_count', results.length - readable.length),
      },
    });
    return { rules: [untrustedMemoryRule], references: this.#configuration.token.redactFrom(references) };
  }

  async persistAfterRun({ sessionId, user, assistant, audit }: CompletedTurn): Promise<void> {
    if (!this.#remembersTurns) return;
    const { messages, changes } = toGatewayMessages({
      user: { ...user, senderId: 'user' },
      assistant: { ...assistant, senderId: 'assistant' },
    });
    const memories = messages.map(
      ({ role, timestamp, content }): NewMemory => ({
        content: this.#configuration.token.redactFrom(content),
        kind: 'episodic',
        role,
        session_id: sessionId,
        occurred_at: new Date(timestamp).toISOString(),
        // The same words said again are another event.
        external_id: uuidv7(timestamp),
      }),
    );
    const stored = await attempt(this.#client.rememberMany(memories, this.#options(undefined)));
    await audit(
      'failure' in stored
        ? { type: 'memory_remember_failed', payload: { operation: 'remember', ...stored.failure } }
        : {
            type: 'memory_remember_succeeded',
            payload: {
              session_id: sessionId,
              message_count: memories.length,
              ...(changes.length === 0 ? {} : { changes }),
            },
          },
    );
  }

  #options(signal: AbortSignal | undefined) {
    const { userId } = this.#configuration;
    return { ...(userId === undefined ? {} : { userId }), ...(signal === undefined ? {} : { signal }) };
  }
}

/** Redirects are not followed: they would send what was said to another place. */
function createClient({ url, token, timeoutMs }: ServerConfiguration): OneMemoryClient {
  return new OneMemoryClient({
    baseUrl: url,
    token: () => token.reveal(),
    timeoutMs,
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });
}

/** The server stores what it is given. Titles and labels are other people's text too. */
function isHostile({ text, origin, note }: RecallResult): boolean {
  const { resource, tier, document } = origin;
  const shown = [text, note, resource?.title, tier?.label, document?.path];
  return shown.some((one) => typeof one === 'string' && scanText(one) !== undefined);
}

function asRepeatable(result: RecallResult) {
  const { text, origin } = result;
  return { result, text, ...(origin.session_id === undefined ? {} : { session_id: origin.session_id }) };
}

function toReference(result: RecallResult): MemoryReference {
  const { id, text, origin, note } = result;
  return {
    from: sayOrigin(result),
    text: redact(text).text,
    ...(note === undefined ? {} : { note: redact(note).text }),
    id,
    ...(origin.session_id === undefined ? {} : { session_id: origin.session_id }),
  };
}

function counted<K extends string>(name: K, count: number): { [P in K]?: number } {
  return count === 0 ? {} : ({ [name]: count } as { [P in K]?: number });
}

async function attempt<T>(call: Promise<T>): Promise<{ answer: T } | { failure: Omit<MemoryFailure, 'operation'> }> {
  try {
    return { answer: await call };
  } catch (error) {
    if (!(error instanceof MemhallError)) throw error;
    const { code, status } = error;
    return { failure: { code, ...(status === 0 ? {} : { status }) } };
  }
}
