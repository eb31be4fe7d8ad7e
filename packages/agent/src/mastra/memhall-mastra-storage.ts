import { MessageList } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { changeMessage, type MessageChange } from './change-message.js';
import { listMessages } from './list-messages.js';
import { MastraRecords, type MastraStorageOptions } from './mastra-records.js';
import { type Include, type MastraMessage, type MastraResource, type MastraThread, toPage } from './mastra-types.js';

interface Format {
  format?: 'v1' | 'v2';
}

interface Selection extends Format {
  threadId: string;
  resourceId?: string;
  selectBy?: {
    last?: number | false;
    include?: Include[];
    pagination?: { page?: number; perPage?: number; dateRange?: { start?: Date; end?: Date } };
  };
}

interface ThreadsOf {
  resourceId: string;
  orderBy?: 'createdAt' | 'updatedAt';
  sortDirection?: 'ASC' | 'DESC';
}

const defaultLast = 40;

/**
 * A storage of Mastra 0.24: threads, messages and resources of one user in Memhall. Workflows, scores and traces stay in the process, as in
 * the store that it extends.
 */
export class MemhallMastraStorage extends InMemoryStore {
  readonly #records: MastraRecords;

  constructor(options: MastraStorageOptions) {
    super();
    this.#records = new MastraRecords(options);
  }

  override get supports() {
    return { ...super.supports, selectByIncludeResourceScope: true, resourceWorkingMemory: true, deleteMessages: true };
  }

  async getThreadById({ threadId }: { threadId: string }): Promise<MastraThread | null> {
    return (await this.#records.thread(threadId)) ?? null;
  }

  async getThreadsByResourceId({
    resourceId,
    orderBy = 'createdAt',
    sortDirection = 'DESC',
  }: ThreadsOf): Promise<MastraThread[]> {
    const sign = sortDirection === 'ASC' ? 1 : -1;
    const threads = (await this.#records.threads()).filter((thread) => thread.resourceId === resourceId);
    return threads.sort((a, b) => sign * (a[orderBy].getTime() - b[orderBy].getTime()));
  }

  async getThreadsByResourceIdPaginated({ page, perPage, ...of }: ThreadsOf & { page: number; perPage: number }) {
    const { items, ...rest } = toPage(await this.getThreadsByResourceId(of), page, perPage);
    return { ...rest, threads: items };
  }

  async saveThread({ thread }: { thread: MastraThread }): Promise<MastraThread> {
    await this.#records.saveThread(thread);
    return thread;
  }

  async updateThread(change: { id: string; title: string; metadata: Record<string, unknown> }): Promise<MastraThread> {
    const { id, title, metadata } = change;
    const changed = await this.#records.changeThread(id, (thread) => ({
      ...{ ...thread, title, updatedAt: new Date() },
      metadata: { ...thread.metadata, ...metadata },
    }));
    if (changed === undefined) throw new Error(`There is no thread ${id}.`);
    return changed;
  }

  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#records.deleteThread(threadId);
  }

  async getResourceById({ resourceId }: { resourceId: string }): Promise<MastraResource | null> {
    return (await this.#records.resource(resourceId)) ?? null;
  }

  async saveResource({ resource }: { resource: MastraResource }): Promise<MastraResource> {
    await this.#records.saveResource(resource);
    return resource;
  }

  updateResource(change: { resourceId: string; workingMemory?: string; metadata?: Record<string, unknown> }) {
    const { resourceId, workingMemory, metadata } = change;
    return this.#records.changeResource(resourceId, (before) => ({
      ...(before ?? { id: resourceId, createdAt: new Date() }),
      ...(workingMemory === undefined ? {} : { workingMemory }),
      metadata: { ...before?.metadata, ...metadata },
      updatedAt: new Date(),
    }));
  }

  async getMessages({ threadId, resourceId, selectBy = {}, format = 'v1' }: Selection): Promise<MastraMessage[]> {
    if (threadId.trim() === '') throw new Error('The id of a thread must not be blank.');
    const { last = selectBy.include?.length ? 0 : defaultLast, include } = selectBy;
    const perPage = last;
    const list = { threadIds: [threadId], resourceId, include, page: 0, direction: 'DESC' as const, perPage };
    const { items } = await listMessages(this.#records, list);
    return inFormat(items.reverse(), format);
  }

  async getMessagesById({ messageIds, format = 'v2' }: Format & { messageIds: string[] }): Promise<MastraMessage[]> {
    const found = await Promise.all(messageIds.map((id) => this.#records.message(id)));
    return inFormat(
      found.filter((message) => message !== undefined),
      format,
    );
  }

  async getMessagesPaginated({ threadId, resourceId, selectBy = {}, format = 'v1' }: Selection) {
    const { page = 0, perPage = defaultLast, dateRange } = selectBy.pagination ?? {};
    const filter = dateRange === undefined ? undefined : { dateRange };
    const list = { threadIds: [threadId], resourceId, include: selectBy.include, filter, direction: 'ASC' as const };
    const { items, ...rest } = await listMessages(this.#records, { ...list, page, perPage });
    return { ...rest, messages: inFormat(items, format) };
  }

  async saveMessages({ messages, format = 'v1' }: Format & { messages: MastraMessage[] }): Promise<MastraMessage[]> {
    const stored = new MessageList().add(messages, 'memory').get.all.v2();
    await this.#records.saveMessages(stored);
    for (const id of new Set(stored.map(({ threadId }) => threadId))) {
      if (id !== undefined) await this.#records.changeThread(id, (thread) => ({ ...thread, updatedAt: new Date() }));
    }
    return inFormat(stored, format);
  }

  async updateMessages({ messages: changes }: { messages: MessageChange[] }): Promise<MastraMessage[]> {
    const changed: MastraMessage[] = [];
    for (const change of changes) {
      const message = await this.#records.message(change.id);
      if (message !== undefined) changed.push(changeMessage(message, change));
    }
    await this.#records.saveMessages(changed);
    return changed;
  }

  async deleteMessages(messageIds: string[]): Promise<void> {
    await this.#records.deleteMessages(messageIds);
  }
}

function inFormat(messages: MastraMessage[], format: 'v1' | 'v2'): MastraMessage[] {
  return format === 'v2' ? messages : new MessageList().add(messages, 'memory').get.all.v1();
}
