import { MemoryStorage } from '@mastra/core/storage';
import { changeMessage, type MessageChange } from './change-message.js';
import { listMessages } from './list-messages.js';
import { MastraRecords, type MastraStorageOptions } from './mastra-records.js';
import {
  type Include,
  type MastraMessage,
  type MastraResource,
  type MastraThread,
  type MessageFilter,
  type OrderBy,
  toPage,
} from './mastra-types.js';

interface ListOptions {
  include?: Include[];
  perPage?: number | false;
  page?: number;
  filter?: MessageFilter;
  orderBy?: OrderBy<'createdAt'>;
}

interface ListThreads {
  perPage?: number | false;
  page?: number;
  orderBy?: OrderBy;
  filter?: { resourceId?: string; metadata?: Record<string, unknown> };
}

/** The domain `memory` of a Mastra storage, for Mastra 1: threads, messages and resources of one user in Memhall. */
export class MemhallMastraMemory extends MemoryStorage {
  readonly supportsPartialThreadUpdate: boolean = true;
  readonly #records: MastraRecords;

  constructor(options: MastraStorageOptions) {
    super();
    this.#records = new MastraRecords(options);
  }

  async init(): Promise<void> {}

  async getThreadById({
    threadId,
    resourceId,
  }: {
    threadId: string;
    resourceId?: string;
  }): Promise<MastraThread | null> {
    const thread = await this.#records.thread(threadId);
    return thread === undefined || (resourceId !== undefined && thread.resourceId !== resourceId) ? null : thread;
  }

  async saveThread({ thread }: { thread: MastraThread }): Promise<MastraThread> {
    await this.#records.saveThread(thread);
    return thread;
  }

  async updateThread(change: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<MastraThread> {
    const { id, title, metadata } = change;
    const changed = await this.#records.changeThread(id, (thread) => ({
      ...thread,
      ...(title === undefined ? {} : { title }),
      metadata: { ...thread.metadata, ...metadata },
      updatedAt: new Date(),
    }));
    if (changed === undefined) throw new Error(`There is no thread ${id}.`);
    return changed;
  }

  async updateThreadResourceId({
    threadId,
    resourceId,
  }: {
    threadId: string;
    resourceId: string;
  }): Promise<MastraThread> {
    const before = await this.#records.thread(threadId);
    if (before?.resourceId === resourceId) return before;
    const messages = await this.#records.messages(threadId);
    await this.#records.saveMessages(messages.map((message) => ({ ...message, resourceId })));
    const changed = await this.#records.changeThread(threadId, (thread) => ({
      ...thread,
      resourceId,
      updatedAt: new Date(),
    }));
    if (changed === undefined) throw new Error(`There is no thread ${threadId}.`);
    return changed;
  }

  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#records.deleteThread(threadId);
  }

  async listMessages({ threadId, ...list }: ListOptions & { threadId: string | string[]; resourceId?: string }) {
    return this.#list({ ...list, threadIds: [threadId].flat() });
  }

  async listMessagesByResourceId(list: ListOptions & { resourceId: string }) {
    const threads = await this.#records.threads();
    return this.#list({ ...list, threadIds: threads.map(({ id }) => id) });
  }

  async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraMessage[] }> {
    const found = await Promise.all(messageIds.map((id) => this.#records.message(id)));
    return { messages: found.filter((message) => message !== undefined) };
  }

  async saveMessages({ messages }: { messages: MastraMessage[] }): Promise<{ messages: MastraMessage[] }> {
    await this.#records.saveMessages(messages);
    await this.#touch(messages);
    return { messages };
  }

  async updateMessages({ messages: changes }: { messages: MessageChange[] }): Promise<MastraMessage[]> {
    const changed: MastraMessage[] = [];
    const threads: MastraMessage[] = [];
    for (const change of changes) {
      const message = await this.#records.message(change.id);
      if (message === undefined) continue;
      changed.push(changeMessage(message, change));
      threads.push(message);
    }
    await this.#records.saveMessages(changed);
    await this.#touch([...threads, ...changed]);
    return changed;
  }

  async deleteMessages(messageIds: string[]): Promise<void> {
    const { messages } = await this.listMessagesById({ messageIds });
    await this.#records.deleteMessages(messageIds);
    await this.#touch(messages);
  }

  async listThreads({ perPage = 100, page = 0, orderBy = {}, filter = {} }: ListThreads = {}) {
    this.validatePaginationInput(page, perPage);
    this.validateMetadataKeys(filter.metadata);
    const { field = 'createdAt', direction = 'DESC' } = orderBy;
    const sign = direction === 'ASC' ? 1 : -1;
    const threads = (await this.#records.threads())
      .filter(({ resourceId }) => filter.resourceId === undefined || resourceId === filter.resourceId)
      .filter(({ metadata = {} }) =>
        Object.entries(filter.metadata ?? {}).every(
          ([name, value]) => JSON.stringify(metadata[name]) === JSON.stringify(value),
        ),
      )
      .sort((a, b) => sign * (a[field].getTime() - b[field].getTime()));
    const { items, ...rest } = toPage(threads, page, perPage);
    return { ...rest, threads: items };
  }

  async copyThread({
    sourceThreadId,
    newThreadId = crypto.randomUUID(),
    resourceId,
    title,
    metadata,
    options = {},
  }: CopyThread) {
    const source = await this.#records.thread(sourceThreadId);
    if (source === undefined) throw new Error(`There is no thread ${sourceThreadId}.`);
    if ((await this.#records.thread(newThreadId)) !== undefined)
      throw new Error(`There is a thread ${newThreadId} already.`);
    const { startDate, endDate, messageIds } = options.messageFilter ?? {};
    const range = { ...(startDate && { start: startDate }), ...(endDate && { end: endDate }) };
    const list = { threadIds: [sourceThreadId], filter: { dateRange: range }, page: 0, direction: 'ASC' as const };
    const { items } = await listMessages(this.#records, { ...list, perPage: false });
    const chosen = items.filter(
      ({ id }) => messageIds === undefined || messageIds.length === 0 || messageIds.includes(id),
    );
    const copied = options.messageLimit ? chosen.slice(-options.messageLimit) : chosen;
    const last = copied.at(-1)?.id;
    const now = new Date();
    const name = title ?? (source.title === undefined ? undefined : `Clone of ${source.title}`);
    const thread: MastraThread = {
      ...{ id: newThreadId, resourceId: resourceId ?? source.resourceId, createdAt: now, updatedAt: now },
      ...(name === undefined ? {} : { title: name }),
      metadata: { ...metadata, clone: { sourceThreadId, clonedAt: now, ...(last && { lastMessageId: last }) } },
    };
    await this.#records.saveThread(thread);
    const copies = copied.map((message) => ({
      ...{ ...message, id: crypto.randomUUID(), threadId: newThreadId },
      ...(resourceId === undefined ? {} : { resourceId }),
    }));
    await this.#records.saveMessages(copies);
    const messageIdMap = Object.fromEntries(copied.map(({ id }, n) => [id, copies[n]?.id ?? '']));
    return { thread, messageIdMap };
  }

  async getResourceById({ resourceId }: { resourceId: string }): Promise<MastraResource | null> {
    return (await this.#records.resource(resourceId)) ?? null;
  }

  async saveResource({ resource }: { resource: MastraResource }): Promise<MastraResource> {
    await this.#records.saveResource(resource);
    return resource;
  }

  updateResource(change: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<MastraResource> {
    const { resourceId, workingMemory, metadata } = change;
    return this.#records.changeResource(resourceId, (before) => ({
      ...(before ?? { id: resourceId, createdAt: new Date() }),
      ...(workingMemory === undefined ? {} : { workingMemory }),
      metadata: { ...before?.metadata, ...metadata },
      updatedAt: new Date(),
    }));
  }

  /** Deletes all threads, with their messages. */
  async dangerouslyClearAll(): Promise<void> {
    for (const { id } of await this.#records.threads()) await this.#records.deleteThread(id);
  }

  async #list({ threadIds, ...list }: ListOptions & { threadIds: string[]; resourceId?: string }) {
    if (threadIds.some((id) => id.trim() === '')) throw new Error('The id of a thread must not be blank.');
    const { page = 0, perPage = 40, orderBy = {}, ...rest } = list;
    this.validatePaginationInput(page, perPage);
    const request = { ...rest, threadIds, page, perPage, direction: orderBy.direction ?? ('ASC' as const) };
    const { items, ...paging } = await listMessages(this.#records, request);
    return { ...paging, messages: items };
  }

  async #touch(messages: readonly MastraMessage[]): Promise<void> {
    for (const id of new Set(messages.map(({ threadId }) => threadId))) {
      if (id !== undefined) await this.#records.changeThread(id, (thread) => ({ ...thread, updatedAt: new Date() }));
    }
  }
}

interface CopyThread {
  sourceThreadId: string;
  newThreadId?: string;
  resourceId?: string;
  title?: string;
  metadata?: Record<string, unknown>;
  options?: {
    messageLimit?: number;
    messageFilter?: { startDate?: Date; endDate?: Date; messageIds?: string[] };
  };
}
