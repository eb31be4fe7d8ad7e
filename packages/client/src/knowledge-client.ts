import { orNull, type UserOptions, userOf } from './client-area.js';
import type {
  EpisodicEntries,
  EpisodicEntry,
  Operations,
  ProceduralEntries,
  ProceduralEntry,
  SemanticEntries,
  SemanticEntry,
} from './generated/operations.js';
import { WorkingMemoryClient } from './working-memory-client.js';

type Body<O extends keyof Operations> = Operations[O] extends { body: infer B } ? B : never;
/** The fields of a request body. The user is given in the options instead. */
type Fields<T> = Omit<T, 'user_id'>;

export type Knowledge = Fields<Body<'semantic.store'>>;
export type KnowledgeQuery = Fields<Body<'semantic.query'>>;
export type Skill = Fields<Body<'procedural.store'>>;
export interface Interaction {
  agent_id: string;
  role: 'user' | 'assistant' | 'system' | 'tool';
  content: string;
  metadata?: Record<string, unknown>;
  session_id?: string;
  /** RFC 3339 */
  occurred_at?: string;
}

/** Calls for semantic, episodic and procedural memory. */
export class KnowledgeClient extends WorkingMemoryClient {
  /** Stores an entry. Replaces the entry with the same external_id, or else the one with the same content. */
  async storeKnowledge(knowledge: Knowledge, options: UserOptions = {}): Promise<SemanticEntry> {
    const input = { path: {}, body: { ...knowledge, ...userOf(options) } };
    return (await this.transport.call('semantic.store', input, options)).answer;
  }

  /** Searches by words and meaning. Best match first. */
  async queryKnowledge(query: string | KnowledgeQuery, options: UserOptions = {}): Promise<SemanticEntries> {
    const fields = typeof query === 'string' ? { query } : query;
    const input = { path: {}, body: { ...fields, ...userOf(options) } };
    return (await this.transport.call('semantic.query', input, options)).answer;
  }

  async getKnowledge(id: string, options: UserOptions = {}): Promise<SemanticEntry | null> {
    return (await orNull(this.transport.call('semantic.get', byId(id, options), options)))?.answer ?? null;
  }

  /** Returns false if there was no such entry. */
  async deleteKnowledge(id: string, options: UserOptions = {}): Promise<boolean> {
    return (await orNull(this.transport.call('semantic.delete', byId(id, options), options))) !== null;
  }

  /** Logs one interaction, or up to 500 in one transaction. */
  logInteraction(interaction: Interaction, options?: UserOptions): Promise<EpisodicEntry>;
  logInteraction(interactions: readonly Interaction[], options?: UserOptions): Promise<EpisodicEntries>;
  async logInteraction(
    interactions: Interaction | readonly Interaction[],
    options: UserOptions = {},
  ): Promise<EpisodicEntry | EpisodicEntries> {
    const fields = Array.isArray(interactions) ? { entries: [...interactions] } : (interactions as Interaction);
    const body = { ...fields, ...userOf(options) } as Body<'episodic.log'>;
    return (await this.transport.call('episodic.log', { path: {}, body }, options)).answer;
  }

  /** Returns the newest interaction first. */
  async recentInteractions(
    agentId: string,
    options: UserOptions & { limit?: number; sessionId?: string } = {},
  ): Promise<EpisodicEntries> {
    const query = { agent_id: agentId, limit: options.limit, session_id: options.sessionId, ...userOf(options) };
    return (await this.transport.call('episodic.recent', { path: {}, query }, options)).answer;
  }

  /** Returns the best match first. */
  async searchInteractions(
    agentId: string,
    text: string,
    options: UserOptions & { limit?: number } = {},
  ): Promise<EpisodicEntries> {
    const query = { agent_id: agentId, q: text, limit: options.limit, ...userOf(options) };
    return (await this.transport.call('episodic.search', { path: {}, query }, options)).answer;
  }

  /** Deletes all interactions of an agent in a session, all or none. Returns how many there were. */
  async deleteInteractions(agentId: string, sessionId: string, options: UserOptions = {}): Promise<number> {
    const query = { agent_id: agentId, session_id: sessionId, ...userOf(options) };
    return (await this.transport.call('episodic.forgetSession', { path: {}, query }, options)).answer.deleted_count;
  }

  async storeSkill(skill: Skill, options: UserOptions = {}): Promise<ProceduralEntry> {
    const input = { path: {}, body: { ...skill, ...userOf(options) } };
    return (await this.transport.call('procedural.store', input, options)).answer;
  }

  /** Returns the procedures that match what the agent is about to do. */
  async relevantSkills(
    agentId: string,
    text: string,
    options: UserOptions & { limit?: number } = {},
  ): Promise<ProceduralEntries> {
    const query = { agent_id: agentId, q: text, limit: options.limit, ...userOf(options) };
    return (await this.transport.call('procedural.context', { path: {}, query }, options)).answer;
  }

  async getSkill(id: string, options: UserOptions = {}): Promise<ProceduralEntry | null> {
    return (await orNull(this.transport.call('procedural.get', byId(id, options), options)))?.answer ?? null;
  }

  async deleteSkill(id: string, options: UserOptions = {}): Promise<boolean> {
    return (await orNull(this.transport.call('procedural.delete', byId(id, options), options))) !== null;
  }
}

function byId(id: string, options: UserOptions) {
  return { path: { id }, query: userOf(options) };
}
