import {
  type EachOptions,
  eachItem,
  type Fields,
  type PageOptions,
  pageOf,
  type UserOptions,
  userOf,
} from './client-area.js';
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

/** The filters of a list. Paging and the user are given in the options instead. */
type Filters<O extends 'semantic.list' | 'semantic.deleteMany' | 'procedural.list' | 'procedural.deleteMany'> = Omit<
  Operations[O]['query'],
  'user_id' | 'limit' | 'cursor'
>;

export type Knowledge = Fields<'semantic.store'>;
export type KnowledgeQuery = Fields<'semantic.query'>;
export type KnowledgeFilter = Filters<'semantic.list'>;
/** At least one filter must be given. */
export type PrivateKnowledgeFilter = Filters<'semantic.deleteMany'>;
export type Skill = Fields<'procedural.store'>;
export type SkillFilter = Filters<'procedural.list'>;
export type SkillsOfAgent = Filters<'procedural.deleteMany'>;
export interface Interaction {
  agent_id: string;
  role: 'user' | 'assistant' | 'system' | 'tool';
  content: string;
  metadata?: Record<string, unknown>;
  session_id?: string;
  /** RFC 3339 */
  occurred_at?: string;
}

export interface ExternalIdOptions extends UserOptions {
  /** Whether the entry is public, which is part of its key. Default false. */
  isPublic?: boolean;
}

export interface InteractionsOptions extends PageOptions {
  sessionId?: string;
}

/** Calls for semantic, episodic and procedural memory. */
export class KnowledgeClient extends WorkingMemoryClient {
  /** Stores an entry. Replaces the entry with the same external_id, or else the one with the same content. */
  async storeKnowledge(knowledge: Knowledge, options: UserOptions = {}): Promise<SemanticEntry> {
    const input = { path: {}, body: { ...knowledge, ...userOf(options) } };
    return this.answer('semantic.store', input, options);
  }

  /** Searches by words and meaning. Best match first. */
  async queryKnowledge(query: string | KnowledgeQuery, options: UserOptions = {}): Promise<SemanticEntries> {
    const fields = typeof query === 'string' ? { query } : query;
    const input = { path: {}, body: { ...fields, ...userOf(options) } };
    return this.answer('semantic.query', input, options);
  }

  async getKnowledge(id: string, options: UserOptions = {}): Promise<SemanticEntry | null> {
    return this.find('semantic.get', byId(id, options), options);
  }

  /** Returns the private entry of the user with this external id, or the public one of the tenant. */
  async getKnowledgeByExternalId(externalId: string, options: ExternalIdOptions = {}): Promise<SemanticEntry | null> {
    return this.find('semantic.byExternalId', byExternalId(externalId, options), options);
  }

  /** Returns one page of the user's and, unless excluded, the tenant's public entries, newest first. */
  async listKnowledge(filter: KnowledgeFilter = {}, options: PageOptions = {}): Promise<SemanticEntries> {
    const query = { ...filter, ...pageOf(options) };
    return this.answer('semantic.list', { path: {}, query }, options);
  }

  /** Yields all entries that match the filter, newest first. */
  allKnowledge(
    filter: KnowledgeFilter = {},
    options: EachOptions = {},
  ): AsyncGenerator<SemanticEntry, void, undefined> {
    return eachItem((page) => this.listKnowledge(filter, { ...options, ...page }), entriesOf);
  }

  /** Returns false if there was no such entry. Rejects with FORBIDDEN if it is a public entry of another user. */
  async deleteKnowledgeByExternalId(externalId: string, options: ExternalIdOptions = {}): Promise<boolean> {
    return this.remove('semantic.deleteByExternalId', byExternalId(externalId, options), options);
  }

  /** Deletes the private entries of the user that match every given filter, all or none. Returns how many there were. */
  async deleteMatchingKnowledge(filter: PrivateKnowledgeFilter, options: UserOptions = {}): Promise<number> {
    const query = { ...filter, ...userOf(options) };
    return (await this.answer('semantic.deleteMany', { path: {}, query }, options)).deleted_count;
  }

  /** Returns false if there was no such entry. */
  async deleteKnowledge(id: string, options: UserOptions = {}): Promise<boolean> {
    return this.remove('semantic.delete', byId(id, options), options);
  }

  /** Logs one interaction, or up to 500 in one transaction. */
  logInteraction(interaction: Interaction, options?: UserOptions): Promise<EpisodicEntry>;
  logInteraction(interactions: readonly Interaction[], options?: UserOptions): Promise<EpisodicEntries>;
  async logInteraction(
    interactions: Interaction | readonly Interaction[],
    options: UserOptions = {},
  ): Promise<EpisodicEntry | EpisodicEntries> {
    const fields = Array.isArray(interactions) ? { entries: [...interactions] } : (interactions as Interaction);
    const body = { ...fields, ...userOf(options) } as Operations['episodic.log']['body'];
    return this.answer('episodic.log', { path: {}, body }, options);
  }

  /** Returns one page, newest interaction first; without a `limit`, ten interactions. */
  async recentInteractions(agentId: string, options: InteractionsOptions = {}): Promise<EpisodicEntries> {
    const query = { agent_id: agentId, session_id: options.sessionId, ...pageOf(options) };
    return this.answer('episodic.recent', { path: {}, query }, options);
  }

  /** Yields all interactions of an agent, newest first. */
  allInteractions(
    agentId: string,
    options: EachOptions<InteractionsOptions> = {},
  ): AsyncGenerator<EpisodicEntry, void, undefined> {
    return eachItem((page) => this.recentInteractions(agentId, { ...options, ...page }), entriesOf);
  }

  async getInteraction(id: string, options: UserOptions = {}): Promise<EpisodicEntry | null> {
    return this.find('episodic.get', byId(id, options), options);
  }

  /** Returns false if there was no such interaction. */
  async deleteInteraction(id: string, options: UserOptions = {}): Promise<boolean> {
    return this.remove('episodic.delete', byId(id, options), options);
  }

  /** Returns the best match first. */
  async searchInteractions(
    agentId: string,
    text: string,
    options: UserOptions & { limit?: number } = {},
  ): Promise<EpisodicEntries> {
    const query = { agent_id: agentId, q: text, limit: options.limit, ...userOf(options) };
    return this.answer('episodic.search', { path: {}, query }, options);
  }

  /** Deletes all interactions of an agent in a session, all or none. Returns how many there were. */
  async deleteInteractions(agentId: string, sessionId: string, options: UserOptions = {}): Promise<number> {
    const query = { agent_id: agentId, session_id: sessionId, ...userOf(options) };
    return (await this.answer('episodic.forgetSession', { path: {}, query }, options)).deleted_count;
  }

  async storeSkill(skill: Skill, options: UserOptions = {}): Promise<ProceduralEntry> {
    const input = { path: {}, body: { ...skill, ...userOf(options) } };
    return this.answer('procedural.store', input, options);
  }

  /** Returns the procedures that match what the agent is about to do. */
  async relevantSkills(
    agentId: string,
    text: string,
    options: UserOptions & { limit?: number } = {},
  ): Promise<ProceduralEntries> {
    const query = { agent_id: agentId, q: text, limit: options.limit, ...userOf(options) };
    return this.answer('procedural.context', { path: {}, query }, options);
  }

  async getSkill(id: string, options: UserOptions = {}): Promise<ProceduralEntry | null> {
    return this.find('procedural.get', byId(id, options), options);
  }

  /** Returns one page, newest first. */
  async listSkills(filter: SkillFilter = {}, options: PageOptions = {}): Promise<ProceduralEntries> {
    const query = { ...filter, ...pageOf(options) };
    return this.answer('procedural.list', { path: {}, query }, options);
  }

  /** Yields all procedures that match the filter, newest first. */
  allSkills(filter: SkillFilter = {}, options: EachOptions = {}): AsyncGenerator<ProceduralEntry, void, undefined> {
    return eachItem((page) => this.listSkills(filter, { ...options, ...page }), entriesOf);
  }

  /** Deletes the procedures of an agent, all or none. Returns how many there were. */
  async deleteSkills(filter: SkillsOfAgent, options: UserOptions = {}): Promise<number> {
    const query = { ...filter, ...userOf(options) };
    return (await this.answer('procedural.deleteMany', { path: {}, query }, options)).deleted_count;
  }

  /** Returns false if there was no such procedure. */
  async deleteSkill(id: string, options: UserOptions = {}): Promise<boolean> {
    return this.remove('procedural.delete', byId(id, options), options);
  }
}

function byId(id: string, options: UserOptions) {
  return { path: { id }, query: userOf(options) };
}

function byExternalId(externalId: string, options: ExternalIdOptions) {
  return { path: {}, query: { external_id: externalId, is_public: options.isPublic, ...userOf(options) } };
}

function entriesOf<T>({ entries }: { entries: T[] }): T[] {
  return entries;
}
