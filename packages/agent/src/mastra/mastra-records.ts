import { createHash } from 'node:crypto';
import { MemoryClient } from '@memhall/client';
import { type AnyMemory, type ClientOptions, OneMemoryClient } from '@memhall/client/one-memory';
import { redactJson } from '@memhall/core';
import { groupBySize } from '../state/group-by-size.js';
import { PlanValues } from '../state/plan-values.js';
import { Turns } from '../turns.js';
import type { MastraMessage, MastraResource, MastraThread } from './mastra-types.js';
import { fromMemory, toJson, toMemory } from './stored-message.js';

export interface MastraStorageOptions extends Pick<ClientOptions, 'token' | 'fetch' | 'timeoutMs'> {
  /** The server. */
  url: string;
  /** The user that a service token acts for. */
  userId?: string;
  /** Storages with different names share nothing. Default `mastra`; up to 60 of the characters A-Z a-z 0-9 . _ : @ - */
  name?: string;
}

const sessionPattern = /^[A-Za-z0-9._:@-]{1,256}$/;
/** What the server answers for a message that is off the record. */
const unstoredId = '00000000-0000-0000-0000-000000000000';

/**
 * Threads, messages and resources of Mastra for one user. A message is an episodic memory, so recall finds it. Threads and resources
 * are state in working memory.
 */
export class MastraRecords {
  readonly #memory: OneMemoryClient;
  readonly #client: MemoryClient;
  readonly #name: string;
  readonly #user: { userId?: string };
  readonly #values: PlanValues;
  readonly #turns = new Turns();
  /** By id, messages of threads that are off the record. */
  readonly #unstored = new Map<string, MastraMessage>();

  constructor({ url, userId, name = 'mastra', ...options }: MastraStorageOptions) {
    this.#memory = new OneMemoryClient({ ...options, baseUrl: url });
    this.#client = new MemoryClient({ ...options, baseUrl: url });
    this.#name = name;
    this.#user = userId === undefined ? {} : { userId };
    const planId = `mastra:${name}`;
    this.#values = new PlanValues({ client: this.#client, user: this.#user, planId, unstored: new Map() });
  }

  async thread(id: string): Promise<MastraThread | undefined> {
    const found = (await this.#values.get(`t:${hash(id)}`)) as unknown as MastraThread | undefined;
    return found && withDates(found);
  }

  async threads(): Promise<MastraThread[]> {
    const threads: MastraThread[] = [];
    for await (const one of this.#values.list('t:')) threads.push(withDates(one as unknown as MastraThread));
    return threads;
  }

  saveThread(thread: MastraThread): Promise<void> {
    return this.#values.put(`t:${hash(thread.id)}`, toJson(thread));
  }

  /** Changes of one thread are serialized in this process. Returns undefined if there is no such thread. */
  changeThread(id: string, change: (thread: MastraThread) => MastraThread): Promise<MastraThread | undefined> {
    return this.#turns.take(id, async () => {
      const thread = await this.thread(id);
      if (thread === undefined) return undefined;
      const changed = change(thread);
      await this.saveThread(changed);
      return changed;
    });
  }

  /** The thread itself is deleted last, so that it is still listed if the deletion is interrupted. */
  async deleteThread(id: string): Promise<void> {
    const messages = await this.messages(id);
    await this.deleteMessages(messages.map((message) => message.id));
    await this.#values.delete(`t:${hash(id)}`);
  }

  async resource(id: string): Promise<MastraResource | undefined> {
    const found = (await this.#values.get(`r:${hash(id)}`)) as unknown as MastraResource | undefined;
    return found && withDates(found);
  }

  saveResource(resource: MastraResource): Promise<void> {
    return this.#values.put(`r:${hash(resource.id)}`, toJson(resource));
  }

  changeResource(id: string, change: (before: MastraResource | undefined) => MastraResource): Promise<MastraResource> {
    return this.#turns.take(`resource ${id}`, async () => {
      const resource = change(await this.resource(id));
      await this.saveResource(resource);
      return resource;
    });
  }

  /** Returns the messages of a thread, or only the newest ones, oldest first. */
  async messages(threadId: string, newest = Number.POSITIVE_INFINITY): Promise<MastraMessage[]> {
    const messages: MastraMessage[] = [];
    const filter = { session_id: this.#sessionOf(threadId), kind: 'episodic' as const, tag: this.#tag };
    const options = { ...this.#user, limit: Math.max(1, Math.min(newest, 100)) };
    for await (const memory of this.#memory.allMemories(filter, options)) {
      if (messages.length >= newest) break;
      const message = await this.#toMessage(memory);
      if (message?.threadId === threadId) messages.push(message);
    }
    const unstored = [...this.#unstored.values()].filter((message) => message.threadId === threadId);
    const all = [...messages.reverse(), ...unstored];
    return all.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).slice(-newest);
  }

  async message(id: string): Promise<MastraMessage | undefined> {
    const memory = await this.#find(id);
    return memory === undefined ? this.#unstored.get(id) : this.#toMessage(memory);
  }

  /** A message with the id of an earlier one replaces it. */
  async saveMessages(messages: readonly MastraMessage[]): Promise<void> {
    const entries = [];
    for (const message of messages) {
      const { memory, large } = toMemory(message, {
        externalId: this.#externalIdOf(message.id),
        sessionId: this.#sessionOf(message.threadId ?? ''),
        tag: this.#tag,
        key: messageKey(message.id),
      });
      if (large !== undefined) await this.#values.put(messageKey(message.id), redactJson(large).value);
      entries.push(memory);
    }
    let at = 0;
    for (const group of groupBySize(entries)) {
      for (const { id } of await this.#memory.rememberMany(group, this.#user)) {
        const message = messages[at];
        if (id === unstoredId && message !== undefined) this.#unstored.set(message.id, structuredClone(message));
        at += 1;
      }
    }
  }

  async deleteMessages(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#unstored.delete(id);
      const memory = await this.#find(id);
      if (memory === undefined) continue;
      await this.#values.delete(messageKey(id));
      await this.#memory.forgetMemory(memory.id, this.#user);
    }
  }

  get #tag(): string {
    return `mastra:${this.#name}`;
  }

  async #find(id: string): Promise<AnyMemory | undefined> {
    const filter = { external_id: this.#externalIdOf(id), kind: 'episodic' as const };
    return (await this.#memory.listMemories(filter, { ...this.#user, limit: 1 })).memories[0];
  }

  #toMessage(memory: AnyMemory): Promise<MastraMessage | undefined> {
    return fromMemory(memory, (key) => this.#values.get(key));
  }

  #externalIdOf(id: string): string {
    return `mastra:${this.#name}:${hash(id)}`;
  }

  /** Thread ids may be any text. */
  #sessionOf(threadId: string): string {
    return sessionPattern.test(threadId) ? threadId : `mastra:${hash(threadId)}`;
  }
}

function messageKey(id: string): string {
  return `m:${hash(id)}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function withDates<T extends { createdAt: Date; updatedAt: Date }>(record: T): T {
  return { ...record, createdAt: new Date(record.createdAt), updatedAt: new Date(record.updatedAt) };
}
