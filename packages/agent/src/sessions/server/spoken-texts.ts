import type { EpisodicEntry, Interaction, UserOptions } from '@memhall/client';
import type { SessionEvent } from '../session-store.js';
import type { MemoryCalls } from './memory-calls.js';
import type { SpokenPiece } from './stored-event.js';

/** A piece of what was said, found by a search. */
interface FoundPiece {
  /** Of the event it belongs to. */
  key: string;
  runId: unknown;
  sessionId: string;
  /** RFC 3339 */
  at: string;
  role: 'user' | 'assistant';
  text: string;
}

const pageSize = 100;
const maxBatch = 500;
/** Bytes of interactions in one request. The server's limit is 1 MiB. */
const maxRequestBytes = 700_000;

/** What users and assistants said in the sessions of an agent, as episodic memory. */
export class SpokenTexts {
  readonly #client: MemoryCalls;
  readonly #user: UserOptions;
  readonly #agentId: string;

  constructor(client: MemoryCalls, user: UserOptions, agentId: string) {
    this.#client = client;
    this.#user = user;
    this.#agentId = agentId;
  }

  async store(sessionId: string, spoken: readonly { event: SessionEvent; piece: SpokenPiece }[]): Promise<void> {
    let batch: Interaction[] = [];
    let bytes = 0;
    const send = async () => {
      if (batch.length > 0) await this.#client.logInteraction(batch, this.#user);
      batch = [];
      bytes = 0;
    };
    for (const { event, piece } of spoken) {
      const interaction = this.#toInteraction(sessionId, event, piece);
      const size = Buffer.byteLength(JSON.stringify(interaction));
      if (bytes + size > maxRequestBytes || batch.length === maxBatch) await send();
      batch.push(interaction);
      bytes += size;
    }
    await send();
  }

  /** Returns a function that finds the text of a piece. It returns undefined if the piece was deleted. */
  async read(sessionId: string): Promise<(key: string, number: number) => string | undefined> {
    const texts = new Map<string, string>();
    const options = { ...this.#user, sessionId, limit: pageSize };
    for await (const { metadata, content } of this.#client.allInteractions(this.#agentId, options)) {
      texts.set(`${metadata.session_event} ${metadata.piece}`, content);
    }
    return (key, number) => texts.get(`${key} ${number}`);
  }

  /** Returns the best match first. Interactions that other programs logged for the agent are not returned. */
  async search(query: string, limit: number): Promise<FoundPiece[]> {
    const { entries } = await this.#client.searchInteractions(this.#agentId, query, { ...this.#user, limit });
    return entries.flatMap(toFound);
  }

  /** Returns whether there were any. */
  async delete(sessionId: string): Promise<boolean> {
    return (await this.#client.deleteInteractions(this.#agentId, sessionId, this.#user)) > 0;
  }

  #toInteraction(sessionId: string, { at, run_id }: SessionEvent, piece: SpokenPiece): Interaction {
    return {
      agent_id: this.#agentId,
      role: piece.role,
      content: piece.text,
      session_id: sessionId,
      occurred_at: at,
      metadata: { session_event: piece.key, piece: piece.number, run_id },
    };
  }
}

function toFound({ metadata, session_id, occurred_at, role, content }: EpisodicEntry): FoundPiece[] {
  const { session_event: key, run_id: runId } = metadata;
  if (typeof key !== 'string' || session_id === null || (role !== 'user' && role !== 'assistant')) return [];
  return [{ key, runId, sessionId: session_id, at: occurred_at, role, text: content }];
}
