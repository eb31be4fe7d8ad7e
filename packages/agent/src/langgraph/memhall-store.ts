import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import type { MemoryCalls } from '../sessions/server/memory-calls.js';
import { isBelow, meetsConditions, passesFilter } from './match-items.js';
import { readItem, toIndexedText, toName } from './stored-item.js';

export interface MemhallStoreOptions {
  client: MemoryCalls;
  /** Stores with different names share nothing. Default `store`; up to 80 of the characters A-Z a-z 0-9 . _ : @ - */
  name?: string;
  /** The user that a service token acts for. */
  userId?: string;
}

const pageSize = 100;
/** Maximum number of matches per query. Later pages of a search by query are empty. */
const mostMatches = 100;

/**
 * LangGraph's long-term memory in Memhall. Each item is a value of working memory, with a semantic memory that makes it
 * searchable by words and meaning. The value is authoritative: a semantic memory without its value is not returned. A
 * search without a query and a list of namespaces read all items of the store.
 */
export class MemhallStore extends BaseStore {
  readonly #client: MemoryCalls;
  readonly #name: string;
  readonly #user: { userId?: string };

  constructor({ client, name = 'store', userId }: MemhallStoreOptions) {
    super();
    this.#client = client;
    this.#name = `langgraph:${name}`;
    this.#user = userId === undefined ? {} : { userId };
  }

  /** Reads see the state before the batch. If an item is written several times, the last write wins. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if ('value' in operation) puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
    }
    for (const put of puts.values()) await this.#put(put);
    return results as OperationResults<Op>;
  }

  async #read(operation: Operation): Promise<unknown> {
    if ('value' in operation) return undefined;
    if ('namespacePrefix' in operation) return this.#search(operation);
    if ('key' in operation) return (await this.#get(operation))?.item ?? null;
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<ReturnType<typeof readItem> | undefined> {
    const entry = await this.#client.getPlanState(this.#name, await toName([namespace, key]), this.#user);
    return entry === null ? undefined : readItem(entry);
  }

  /** Stores the semantic memory first. If the put is interrupted, the next put finds the memory by its external id. */
  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const name = await toName([namespace, key]);
    const before = await this.#get({ namespace, key });
    const text = value === null ? '' : toIndexedText(value, index);
    const memoryId = text === '' ? null : await this.#remember(namespace, name, text);
    if (value === null) await this.#client.deletePlanState(this.#name, name, this.#user);
    else {
      const stored = { namespace, key, value, memory_id: memoryId };
      await this.#client.setPlanState(this.#name, name, stored, this.#user);
    }
    const stale = before?.memoryId ?? null;
    if (stale !== null && stale !== memoryId) await this.#client.deleteKnowledge(stale, this.#user);
  }

  async #remember(namespace: string[], name: string, text: string): Promise<string> {
    const prefixes = await Promise.all([[], ...namespace.map((_, n) => namespace.slice(0, n + 1))].map(this.#tagOf));
    const { id } = await this.#client.storeKnowledge(
      {
        content: text,
        external_id: `${this.#name}:${name}`,
        tags: prefixes,
        source: this.#name,
        metadata: { item: name },
      },
      this.#user,
    );
    return id;
  }

  readonly #tagOf = async (prefix: string[]): Promise<string> => `langgraph:${await toName([this.#name, prefix])}`;

  async #search({ query, offset = 0, limit = 10, ...conditions }: SearchOperation): Promise<SearchItem[]> {
    const found =
      query === undefined || query.trim() === ''
        ? await this.#listItems(conditions.namespacePrefix)
        : await this.#recall(query, conditions.namespacePrefix, conditions.filter ? mostMatches : offset + limit);
    return found.filter((item) => passesFilter(item, conditions.filter)).slice(offset, offset + limit);
  }

  async #recall(query: string, prefix: string[], count: number): Promise<SearchItem[]> {
    const filters = { tags: [await this.#tagOf(prefix)] };
    const request = { query, top_k: Math.min(count, mostMatches), include_public: false, filters };
    const { entries } = await this.#client.queryKnowledge(request, this.#user);
    const items = await Promise.all(
      entries.map(async ({ id, metadata, score }) => {
        const entry = await this.#client.getPlanState(this.#name, String(metadata.item), this.#user);
        if (entry === null) return [];
        const { item, memoryId } = readItem(entry);
        return memoryId === id ? [{ ...item, ...(score === undefined ? {} : { score }) }] : [];
      }),
    );
    return items.flat();
  }

  /** Returns the newest item first. */
  async #listItems(prefix: readonly string[]): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    do {
      const page = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }), ...this.#user };
      const { entries, next_cursor } = await this.#client.listPlanState(this.#name, page);
      items.push(...entries.map((entry) => readItem(entry).item));
      cursor = next_cursor;
    } while (cursor !== undefined);
    return items
      .filter(({ namespace }) => isBelow(namespace, prefix))
      .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  }

  async #listNamespaces({ matchConditions, maxDepth, limit, offset }: ListNamespacesOperation): Promise<string[][]> {
    const namespaces = (await this.#listItems([]))
      .map(({ namespace }) => namespace)
      .filter((namespace) => meetsConditions(namespace, matchConditions))
      .map((namespace) => namespace.slice(0, maxDepth));
    const distinct = new Map(namespaces.map((namespace) => [namespace.join('\0'), namespace]));
    return [...distinct]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(offset, offset + limit)
      .map(([, namespace]) => namespace);
  }
}
