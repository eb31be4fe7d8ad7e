import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from './managed-identity-stand-in.js';
import { parseFilter } from './odata-filter.js';
import { matchSimpleQuery } from './simple-query.js';

type Document = Record<string, unknown>;
interface Index {
  name: string;
  fields: { name: string; searchable?: boolean; filterable?: boolean; sortable?: boolean }[];
}
interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const maxRequestBytes = 16 * 1024 * 1024;

/**
 * A stand-in for Azure AI Search, which cannot be reached from tests. Speaks the REST API of
 * 2024-07-01: indexes, `docs/index` with upload and delete and status 207, `docs/search` with filters and the simple query syntax.
 */
export class AzureSearchStandIn {
  /** `denies`: the identity lacks roles. `failing`: outage. `throttling`: too many requests. `partial`: one document of a batch fails. */
  state: 'ok' | 'denies' | 'failing' | 'throttling' | 'partial' = 'ok';
  readonly apiKey = 'an-admin-key-of-the-search-service';
  /** Method and path of every request. */
  readonly calls: string[] = [];
  readonly searches: Document[] = [];
  /** The number of documents in each batch. */
  readonly batches: number[] = [];
  #found: Document[] | undefined;
  /** Whether a document can never be indexed. */
  refuses: (document: Document) => boolean = () => false;
  /** Called while a batch is being written, before its response. */
  onBatch: () => Promise<void> = async () => undefined;
  index: Index | undefined;
  readonly documents = new Map<string, Document>();
  readonly #server = createServer((request, response) => void this.#respond(request, response));

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  /** Forgets everything but its address. */
  reset(): void {
    this.index = undefined;
    this.documents.clear();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** While true, searches do not find what is written, as it is for a moment after every write. */
  set lags(lags: boolean) {
    this.#found = lags ? [...this.documents.values()] : undefined;
  }

  /** The documents whose text contains this. */
  with(text: string): Document[] {
    return [...this.documents.values()].filter((document) => JSON.stringify(document).includes(text));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers = {} } = await this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const text = await textOf(request);
    this.calls.push(`${request.method} ${pathname}`);
    if (searchParams.get('api-version') !== '2024-07-01') return problem(400, 'InvalidApiVersion');
    const { 'api-key': key, authorization } = request.headers;
    if (key === undefined && authorization === undefined) return problem(401, 'Unauthorized');
    if (this.state === 'denies' || (key !== this.apiKey && !isForSearch(authorization))) {
      return problem(403, 'Forbidden');
    }
    // Real services repeat parts of the request in their errors.
    if (this.state === 'failing') return problem(503, `ServiceUnavailable ${key} ${authorization} ${text}`);
    if (this.state === 'throttling') return { ...problem(429, 'Throttled'), headers: { 'retry-after': '60' } };
    if (Buffer.byteLength(text) > maxRequestBytes) return problem(413, 'RequestEntityTooLarge');
    const [, , name, , operation] = pathname.split('/');
    const given = text === '' ? undefined : JSON.parse(text);
    if (operation === undefined) return this.#changeIndex(request, name ?? '', given);
    if (this.index?.name !== name) return problem(404, 'ResourceNotFound');
    return operation === 'index' ? this.#write(given.value) : this.#search(given);
  }

  #changeIndex({ method, headers }: IncomingMessage, name: string, given: Index): Answer {
    const exists = this.index?.name === name;
    if (method === 'GET') return exists ? { status: 200, body: this.index } : problem(404, 'ResourceNotFound');
    if (method === 'DELETE') {
      if (!exists) return problem(404, 'ResourceNotFound');
      this.index = undefined;
      this.documents.clear();
      return { status: 204 };
    }
    if (exists && headers['if-none-match'] === '*') return problem(412, 'ResourceNameAlreadyInUse');
    if (given.name !== name) return problem(400, 'InvalidName');
    this.index = given;
    return { status: 201, body: given };
  }

  async #write(actions: Document[]): Promise<Answer> {
    if (actions.length > 1000) return problem(400, 'TooManyDocuments');
    this.batches.push(actions.length);
    const known = new Set(this.index?.fields.map(({ name }) => name));
    const results = actions.map(({ '@search.action': action, ...document }, number) => {
      const key = String(document.key);
      const result = (statusCode: number) => ({
        key,
        status: statusCode < 300,
        errorMessage: statusCode < 300 ? null : `cannot index ${JSON.stringify(document)}`,
        statusCode,
      });
      if (!/^[A-Za-z0-9=-][A-Za-z0-9_=-]{0,1023}$/.test(key)) return result(400);
      if (Object.keys(document).some((field) => !known.has(field))) return result(400);
      if (this.refuses(document)) return result(400);
      if (this.state === 'partial' && number === 0) return result(503);
      const isNew = !this.documents.has(key);
      if (action === 'delete') this.documents.delete(key);
      else if (action === 'upload') this.documents.set(key, document);
      else return result(400);
      return result(action === 'upload' && isNew ? 201 : 200);
    });
    await this.onBatch();
    return { status: results.every(({ status }) => status) ? 200 : 207, body: { value: results } };
  }

  #search(search: Document): Answer {
    this.searches.push(search);
    const searchable = this.index?.fields.filter((field) => field.searchable).map(({ name }) => name) ?? [];
    const wanted = search.searchFields === undefined ? searchable : String(search.searchFields).split(',');
    let matches: (document: Document) => boolean;
    try {
      matches = search.filter === undefined ? () => true : parseFilter(String(search.filter));
    } catch {
      return problem(400, 'InvalidFilter');
    }
    if (wanted.some((field) => !searchable.includes(field))) return problem(400, 'InvalidSearchFields');
    const score = matchSimpleQuery(String(search.search));
    const found = (this.#found ?? [...this.documents.values()]).filter(matches).flatMap((document) => {
      const scored = score(wanted.flatMap((field) => document[field] as string | string[]).join(' '));
      return scored === 0 ? [] : [{ document, score: scored }];
    });
    if (search.orderby === 'key asc') {
      found.sort((one, other) => (String(one.document.key) < String(other.document.key) ? -1 : 1));
    } else found.sort((one, other) => other.score - one.score);
    const selected = (document: Document) =>
      search.select === undefined
        ? document
        : Object.fromEntries(
            String(search.select)
              .split(',')
              .map((field) => [field, document[field]]),
          );
    const value = found
      .slice(0, Number(search.top ?? 50))
      .map((hit) => ({ '@search.score': hit.score, ...selected(hit.document) }));
    return { status: 200, body: { ...(search.count ? { '@odata.count': found.length } : {}), value } };
  }
}

function isForSearch(authorization: string | undefined): boolean {
  const [, claims = ''] = authorization?.replace('Bearer ', '').split('.') ?? [];
  return claims !== '' && JSON.parse(Buffer.from(claims, 'base64url').toString()).aud === 'https://search.azure.com';
}

function problem(status: number, code: string): Answer {
  return { status, body: { error: { code, message: code } } };
}
