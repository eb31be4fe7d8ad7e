import { createHash } from 'node:crypto';
import type { ArtifactOwner } from '../../ports/artifact-store.js';
import {
  type EventHit,
  type EventIndex,
  EventIndexError,
  type EventIndexSearch,
  type IndexableEvent,
} from '../../ports/event-index.js';
import { CircuitBreaker } from '../memory-plugins/circuit-breaker.js';
import { documentBatches } from './search-batches.js';
import { SearchConnection, type SearchConnectionOptions, type SearchRequest } from './search-connection.js';
import { literal, ownerFilter, queryWords, searchFilter } from './search-expressions.js';
import { canHoldEvents, fields, searchableFields } from './search-index-schema.js';

const writeTimeoutMs = 10_000;
/** A user is waiting, and recall can answer instead. */
const searchTimeoutMs = 3000;
const circuitOptions = { failures: 3, openMs: 30_000 };
const pageSize = 1000;
const notFound = 404;
const preconditionFailed = 412;
const badRequest = 400;

type Path = '/docs/index' | '/docs/search' | '';

/** Events in an index of Azure AI Search, through its REST API. */
export class AzureSearchIndex implements EventIndex {
  readonly address: string;
  readonly #connection: SearchConnection;
  readonly #name: string;
  readonly #circuit = new CircuitBreaker(circuitOptions);

  constructor({ indexName, ...options }: SearchConnectionOptions & { indexName: string }) {
    this.#connection = new SearchConnection(options);
    this.#name = indexName;
    this.address = `the index "${indexName}" of Azure AI Search at ${this.#connection.host}`;
  }

  async exists(): Promise<boolean> {
    const { status, body } = await this.#send('GET', '', { expected: [notFound] });
    if (status === notFound) return false;
    if (canHoldEvents(body)) return true;
    throw new EventIndexError('misfit', `${this.address} was not made by Memhall`);
  }

  async create(): Promise<void> {
    const headers = { 'if-none-match': '*' };
    await this.#send('PUT', '', { headers, body: { name: this.#name, fields }, expected: [preconditionFailed] });
  }

  async drop(): Promise<void> {
    await this.#send('DELETE', '', { expected: [notFound] });
  }

  async put(owner: ArtifactOwner, events: readonly IndexableEvent[]): Promise<string[]> {
    const ids = new Map(events.map(({ event }) => [keyOf(owner, event.event_id), event.event_id]));
    const refused = await this.#change(
      events.map((one) => ({ '@search.action': 'upload', ...toDocument(owner, one) })),
    );
    return refused.map((key) => ids.get(key) ?? key);
  }

  async remove(owner: ArtifactOwner, eventIds: readonly string[]): Promise<void> {
    await this.#removeKeys(eventIds.map((id) => keyOf(owner, id)));
  }

  async removeAll(tenantId: string, userId: string | null): Promise<number> {
    let removed = 0;
    for (let after = ''; ; ) {
      const filter = `${ownerFilter(tenantId, userId)} and key gt ${literal(after)}`;
      const { value } = await this.#find({ search: '*', filter, orderby: 'key asc', select: 'key', top: pageSize });
      const keys = value.map(({ key }) => String(key));
      await this.#removeKeys(keys);
      removed += keys.length;
      after = keys.at(-1) ?? '';
      if (keys.length === 0) return removed;
    }
  }

  async count(tenantId: string, userId: string | null, moment: Date): Promise<{ before: number; since: number }> {
    const owner = ownerFilter(tenantId, userId);
    const count = async (operator: 'lt' | 'ge') => {
      const filter = `${owner} and created_at ${operator} ${moment.toISOString()}`;
      return Number((await this.#find({ search: '*', filter, count: true, top: 0 }))['@odata.count'] ?? 0);
    };
    const [before, since] = await Promise.all([count('lt'), count('ge')]);
    return { before, since };
  }

  async search(owner: ArtifactOwner, search: EventIndexSearch): Promise<EventHit[]> {
    const words = queryWords(search.text);
    if (words === '') return [];
    if (!this.#circuit.enter()) {
      throw new EventIndexError('unavailable', `${this.address} is failing and is not asked for a while`);
    }
    try {
      const body = {
        search: words,
        queryType: 'simple',
        searchMode: 'any',
        searchFields: searchableFields.join(','),
        filter: searchFilter(owner, search),
        select: 'event_id,etag',
        top: search.limit,
      };
      const options = { body, timeoutMs: searchTimeoutMs, repeats: false };
      const found = (await this.#send('POST', '/docs/search', options)).body as Found;
      this.#circuit.succeeded();
      return found.value.map((hit) => ({
        eventId: String(hit.event_id),
        etag: String(hit.etag),
        score: toScore(Number(hit['@search.score'])),
      }));
    } catch (error) {
      this.#circuit.failed();
      throw error;
    }
  }

  /** An index that does not exist has nothing to find. */
  async #find(body: Record<string, unknown>): Promise<Found> {
    const answer = await this.#send('POST', '/docs/search', { body, expected: [notFound] });
    return answer.status === notFound ? { value: [] } : (answer.body as Found);
  }

  async #removeKeys(keys: readonly string[]): Promise<void> {
    const actions = keys.map((key) => ({ '@search.action': 'delete' as const, key }));
    const refused = await this.#change(actions, [notFound]);
    if (refused.length > 0) throw new EventIndexError('rejected', `${this.address} did not remove all documents`);
  }

  /** Returns the keys of documents that the service will never accept. */
  async #change(actions: readonly Action[], expected: readonly number[] = []): Promise<string[]> {
    const refused: string[] = [];
    for (const value of documentBatches(actions)) {
      const answer = await this.#send('POST', '/docs/index', { body: { value }, expected });
      if (answer.status === notFound) return [];
      for (const { key, status, statusCode } of (answer.body as { value: ActionResult[] }).value) {
        if (status) continue;
        if (statusCode !== badRequest) {
          throw new EventIndexError('unavailable', `${this.address} did not accept all changes (status ${statusCode})`);
        }
        refused.push(key);
      }
    }
    return refused;
  }

  async #send(method: SearchRequest['method'], path: Path, options: Partial<SearchRequest>) {
    const request = { method, path: `/indexes/${this.#name}${path}`, timeoutMs: writeTimeoutMs, ...options };
    const expected = [...(options.expected ?? []), notFound];
    const answer = await this.#connection.send({ ...request, expected });
    if (answer.status === notFound && options.expected?.includes(notFound) !== true) {
      throw new EventIndexError('missing', `${this.address} does not exist`);
    }
    return answer;
  }
}

interface Found {
  '@odata.count'?: number;
  value: { [field: string]: unknown }[];
}

interface Action {
  '@search.action': 'upload' | 'delete';
  key: string;
}

interface ActionResult {
  key: string;
  status: boolean;
  statusCode: number;
}

/** Keys may contain few characters, so it is a hash. Ids have no line breaks, so no two events share one. */
function keyOf({ tenantId, userId }: ArtifactOwner, eventId: string): string {
  return createHash('sha256').update(`${tenantId}\n${userId}\n${eventId}`).digest('hex');
}

function toDocument(owner: ArtifactOwner, { event, etag, createdAt }: IndexableEvent) {
  return {
    key: keyOf(owner, event.event_id),
    tenant_id: owner.tenantId,
    user_id: owner.userId,
    event_id: event.event_id,
    etag,
    created_at: createdAt.toISOString(),
    service_id: event.service_id,
    source_type: event.source_type,
    timestamp: event.timestamp,
    digest: event.digest,
    keywords: event.keywords,
    project_ids: event.project_ids,
  };
}

/** BM25 has no upper limit. This keeps the order, and a score of 1 becomes one half. */
function toScore(score: number): number {
  return score > 0 ? score / (score + 1) : 0;
}
