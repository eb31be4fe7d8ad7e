import type { UserOptions } from '@memhall/client';
import { type Json, redactJson } from '@memhall/core';
import { isRecallMessage } from '../memory/recall-message.js';
import type { MemoryCalls } from '../sessions/server/memory-calls.js';
import { groupBySize } from '../state/group-by-size.js';
import { PlanValues } from '../state/plan-values.js';
import { fromEntry, type SessionItem, type StoredItem, toEntry } from './stored-item.js';

export interface MemhallSessionOptions {
  client: MemoryCalls;
  /** 1 to 256 of the characters A-Z a-z 0-9 . _ : @ - */
  sessionId: string;
  /** The agent whose conversations they are; sessions of different agents share nothing. Default `openai-agents`. */
  agentId?: string;
  /** The user that a service token acts for. */
  userId?: string;
}

const pageSize = 100;
/** What the server answers for an interaction that is off the record. */
const unstoredId = '00000000-0000-0000-0000-000000000000';

/**
 * The history of a conversation for the OpenAI Agents SDK. Each item is one interaction of episodic memory, as in the Python client: its text is
 * what recall finds, the rest is in its metadata. What is too large for metadata is in working memory.
 */
export class MemhallSession {
  readonly #client: MemoryCalls;
  readonly #sessionId: string;
  readonly #agentId: string;
  readonly #user: UserOptions;
  readonly #large: PlanValues;
  /** What the server did not store because the session is off the record. */
  #unstored: SessionItem[] = [];

  constructor({ client, sessionId, agentId = 'openai-agents', userId }: MemhallSessionOptions) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#agentId = agentId;
    this.#user = userId === undefined ? {} : { userId };
    const planId = `openai-session:${agentId}`;
    this.#large = new PlanValues({ client, user: this.#user, planId, sessionId, unstored: new Map() });
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /** Returns the items, oldest first; with a limit, the latest. */
  // biome-ignore lint/suspicious/noExplicitAny: the items of every version of the SDK
  async getItems(limit = Number.POSITIVE_INFINITY): Promise<any[]> {
    const items = this.#unstored.slice(-Math.max(limit, 0)).reverse();
    if (limit <= 0) return [];
    const options = { ...this.#user, sessionId: this.#sessionId, limit: Math.min(limit, pageSize) };
    if (items.length < limit) {
      for await (const entry of this.#client.allInteractions(this.#agentId, options)) {
        items.push(await fromEntry(entry.content, entry.metadata as unknown as StoredItem, this.#large));
        if (items.length === limit) break;
      }
    }
    return items.reverse();
  }

  /** Adds items after the others. All or none, unless they are more than one request can hold. */
  // biome-ignore lint/suspicious/noExplicitAny: the items of every version of the SDK
  async addItems(given: any[]): Promise<void> {
    // The runner stores what its filter for the input of models adds.
    const items = (given as SessionItem[]).filter(({ content }) => !isRecallMessage(content));
    const entries = [];
    for (const item of items) {
      const { large, key, ...entry } = toEntry(item);
      if (large !== undefined) await this.#large.put(key, redactJson(large as Json).value);
      entries.push({ ...entry, agent_id: this.#agentId, session_id: this.#sessionId });
    }
    let at = 0;
    for (const group of groupBySize(entries)) {
      const { entries: logged } = await this.#client.logInteraction(group, this.#user);
      for (const { id } of logged) {
        if (id === unstoredId) this.#unstored.push(structuredClone(items[at] ?? {}));
        at += 1;
      }
    }
  }

  /** Removes the last item and returns it. Of several callers at once, each gets another item. */
  // biome-ignore lint/suspicious/noExplicitAny: the items of every version of the SDK
  async popItem(): Promise<any> {
    if (this.#unstored.length > 0) return this.#unstored.pop();
    for (;;) {
      const options = { ...this.#user, sessionId: this.#sessionId, limit: 1 };
      const { entries } = await this.#client.recentInteractions(this.#agentId, options);
      const [last] = entries;
      if (last === undefined) return undefined;
      const stored = last.metadata as unknown as StoredItem;
      const item = await fromEntry(last.content, stored, this.#large);
      if (!(await this.#client.deleteInteraction(last.id, this.#user))) continue;
      if (stored.item_key !== undefined) await this.#large.delete(stored.item_key);
      return item;
    }
  }

  /** Removes all items. */
  async clearSession(): Promise<void> {
    this.#unstored = [];
    const options = { ...this.#user, sessionId: this.#sessionId, limit: pageSize };
    const keys: string[] = [];
    for await (const { metadata } of this.#client.allInteractions(this.#agentId, options)) {
      if (typeof metadata.item_key === 'string') keys.push(metadata.item_key);
    }
    for (const key of keys) await this.#large.delete(key);
    await this.#client.deleteInteractions(this.#agentId, this.#sessionId, this.#user);
  }
}
