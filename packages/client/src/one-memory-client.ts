import {
  conditions,
  type EachOptions,
  eachItem,
  type Fields,
  type PageOptions,
  pageOf,
  type Tagged,
  tagged,
  taggedOrNull,
  type UserOptions,
  userOf,
  type WriteOptions,
} from './client-area.js';
import { eventData } from './event-data.js';
import {
  type AnyMemory,
  type Change,
  type Changes,
  type MemoryPage,
  type Operations,
  oneMemoryRoutes,
  type RecallReason,
  type RecallResult,
  type RecallSession,
  type UserSettings,
} from './generated/operations.js';
import { streamText } from './stream-text.js';
import type { ClientOptions } from './transport.js';
import { WebhooksClient } from './webhooks-client.js';

type Stored = Extract<Operations['memory.remember']['body'], { memories: unknown }>['memories'][number];

/** A memory to store. The kind is `note` by default. */
export type NewMemory = Omit<Stored, 'kind'> & Partial<Pick<Stored, 'kind'>>;
export type RecallQuery = Omit<Fields<'memory.recall'>, 'group_by'>;
export type MemoryFilter = Omit<Operations['memory.list']['query'], 'user_id' | 'limit' | 'cursor'>;
export type MemoryChange = Fields<'memory.update'>;
export type ExportFormat = NonNullable<Operations['memory.export']['query']['format']>;
/** A memory with where it comes from, who changed it, and its ETag. */
export type MemoryWithHistory = Tagged<Operations['memory.get']['answer']>;

export interface RememberOptions extends UserOptions {
  /** Repeating the call with the same key within 24 hours stores nothing and returns the same memories. */
  idempotencyKey?: string;
}

interface ChangesOptions extends UserOptions {
  /** A cursor, or `now`. */
  after?: string | undefined;
}

export interface ForgetOptions extends WriteOptions {
  /** Also forget further copies of the statement. Default false. */
  copies?: boolean;
}

/**
 * Client for everything the user may read, whichever surface wrote it.
 *
 * @example
 * const memory = new OneMemoryClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * await memory.remember('I take my tea without milk.');
 * const { results } = await memory.recall('What do I take in my tea?');
 */
export class OneMemoryClient extends WebhooksClient {
  constructor(options: ClientOptions) {
    super(options, oneMemoryRoutes);
  }

  /** Remembers one thing. Updates the memory of the same kind with the same external_id, or else with the same content. */
  async remember(memory: string | NewMemory, options: RememberOptions = {}): Promise<AnyMemory> {
    const [stored] = await this.rememberMany([memory], options);
    return stored as AnyMemory;
  }

  /** Remembers up to 500 things, all or none. Returns them in order. */
  async rememberMany(memories: readonly (string | NewMemory)[], options: RememberOptions = {}): Promise<AnyMemory[]> {
    const given = memories.map((memory) => (typeof memory === 'string' ? { content: memory } : memory));
    const body = { memories: given as Stored[], ...userOf(options) } as Operations['memory.remember']['body'];
    const { idempotencyKey } = options;
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await this.answer('memory.remember', { path: {}, body, headers }, options);
    return (answer as { memories: AnyMemory[] }).memories;
  }

  /** Recalls by words and meaning. Best match first. Copies of one statement by the same author are one result. */
  async recall(
    query: string | RecallQuery,
    options: UserOptions = {},
  ): Promise<{ results: RecallResult[]; incomplete?: boolean }> {
    const fields = typeof query === 'string' ? { query } : query;
    const body = { ...fields, group_by: 'memory' as const, ...userOf(options) };
    const { results, ...rest } = await this.answer('memory.recall', { path: {}, body }, options);
    return { ...rest, results: results.filter((one): one is RecallResult => 'text' in one) };
  }

  /** Returns the sessions that match best, ranked on all their memories. */
  async recallSessions(query: string | RecallQuery, options: UserOptions = {}): Promise<{ results: RecallSession[] }> {
    const fields = typeof query === 'string' ? { query } : query;
    const body = { ...fields, group_by: 'session' as const, ...userOf(options) };
    const { results } = await this.answer('memory.recall', { path: {}, body }, options);
    return { results: results.filter((one): one is RecallSession => 'best' in one) };
  }

  /**
   * Says why a recall returns a memory, or what keeps it out. Returns null if there is no such memory, or the user may not read it.
   */
  async whyRecalled(
    id: string,
    query: string | (RecallQuery & Partial<Pick<Fields<'memory.recall'>, 'group_by'>>),
    options: UserOptions = {},
  ): Promise<RecallReason | null> {
    const fields = typeof query === 'string' ? { query } : query;
    const body = { ...fields, memory_id: id, ...userOf(options) };
    return this.find('memory.why', { path: {}, body }, options);
  }

  async getMemory(id: string, options: UserOptions = {}): Promise<MemoryWithHistory | null> {
    return taggedOrNull(this.transport.call('memory.get', { path: { id }, query: userOf(options) }, options));
  }

  /** Returns one page, newest first. */
  async listMemories(filter: MemoryFilter = {}, options: PageOptions = {}): Promise<MemoryPage> {
    return this.answer('memory.list', { path: {}, query: { ...filter, ...pageOf(options) } }, options);
  }

  /** Yields all memories that match the filter, newest first. */
  allMemories(filter: MemoryFilter = {}, options: EachOptions = {}): AsyncGenerator<AnyMemory, void, undefined> {
    return eachItem(
      (page) => this.listMemories(filter, { ...options, ...page }),
      ({ memories }) => memories,
    );
  }

  /**
   * Yields the text of an export of everything the user owns, as it arrives: JSON Lines for programs, or Markdown for people. The last
   * line says that it is complete.
   */
  exportMemory(format: ExportFormat = 'jsonl', options: UserOptions = {}): AsyncGenerator<string, void, undefined> {
    const input = { path: {}, query: { format, ...userOf(options) } };
    return streamText(this.transport, 'memory.export', input, options);
  }

  /** Changes a memory. Rejects with ETAG_MISMATCH if somebody else changed it since; `*` changes it in any case. */
  async updateMemory(
    id: string,
    change: MemoryChange,
    options: WriteOptions & { ifMatch: string },
  ): Promise<Tagged<{ memory: AnyMemory }>> {
    const input = { path: { id }, body: { ...change, ...userOf(options) }, headers: conditions(options) };
    return tagged<'memory.update'>(await this.transport.call('memory.update', input, options));
  }

  /** Returns a page of what changed after a cursor, oldest first: ids only. Without a cursor, from the oldest change that is kept. */
  async listChanges(options: ChangesOptions & { limit?: number } = {}): Promise<Changes> {
    const { after, limit } = options;
    return this.answer('changes.list', { path: {}, query: { after, limit, ...userOf(options) } }, options);
  }

  /**
   * Yields what changes, as it happens, from now on or after a cursor. Ends when the server closes or the token expires: call it again
   * with the cursor of the last change.
   */
  followChanges(options: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    const input = {
      ...{ path: {}, query: { after: options.after, ...userOf(options) } },
      headers: { accept: 'text/event-stream' },
    };
    return eventData<Change>(streamText(this.transport, 'changes.list', input, options));
  }

  /** Returns what the user has set: the time zone whose days and weeks are meant. */
  async getSettings(options: UserOptions = {}): Promise<UserSettings> {
    return this.answer('users.getSettings', { path: {}, query: userOf(options) }, options);
  }

  /** Sets the time zone whose days and weeks the user means, by its IANA name. */
  async setTimeZone(timeZone: string, options: UserOptions = {}): Promise<UserSettings> {
    const body = { time_zone: timeZone, ...userOf(options) };
    return this.answer('users.putSettings', { path: {}, body }, options);
  }

  /** Forgets a memory and what was derived from it alone. Returns false if there was no such memory. */
  async forgetMemory(id: string, options: ForgetOptions = {}): Promise<boolean> {
    const query = { copies: options.copies, ...userOf(options) };
    return this.remove('memory.forget', { path: { id }, query, headers: conditions(options) }, options);
  }
}
