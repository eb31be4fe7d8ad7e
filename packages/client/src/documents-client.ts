import type {
  AuditRecords,
  Context,
  DocumentAnswer,
  DocumentHistory,
  DocumentList,
  Operations,
  WriteAnswer,
} from './generated/operations.js';
import { governedDocumentsRoutes } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, type ClientOptions, Transport } from './transport.js';

type Body<O extends keyof Operations> = Operations[O] extends { body: infer B } ? B : never;
type Query<O extends keyof Operations> = Operations[O]['query'];

export type DocumentPatch = Body<'documents.patch'>;
export type DocumentReplacement = Body<'documents.replace'>;
export type ContextRequest = Body<'context.assemble'>;
export type NewEvent = Body<'events.write'>['event'];
export type EventSearch = Body<'events.search'>;
export type FoundEvents = Operations['events.search']['answer'];

export interface DocumentsClientOptions extends ClientOptions {
  tenantId: string;
  /** The owner of the documents. */
  userId: string;
}

export interface DocumentWriteOptions extends CallOptions {
  /** The ETag that was read. `*`: write regardless of whether the document exists. */
  ifMatch?: string;
  /** Write only if the document does not exist yet. Use instead of `ifMatch`. */
  create?: boolean;
  /** Use the same key again to retry a request safely. Default: a new key. */
  idempotencyKey?: string;
}

/** The documents of one user. */
export interface Documents {
  /** Returns null if there is no such document. */
  get(namespace: string, path: string, options?: CallOptions & Query<'documents.get'>): Promise<DocumentAnswer | null>;
  patch(namespace: string, path: string, patch: DocumentPatch, options: DocumentWriteOptions): Promise<WriteAnswer>;
  replace(
    namespace: string,
    path: string,
    replacement: DocumentReplacement,
    options: DocumentWriteOptions,
  ): Promise<WriteAnswer>;
  /** Returns the newest version first. */
  history(
    namespace: string,
    path: string,
    options?: CallOptions & Query<'documents.history'>,
  ): Promise<DocumentHistory>;
  list(options?: CallOptions & Query<'documents.list'>): Promise<DocumentList>;
}

export interface Events {
  /** Writes an event. Replaces an existing event with the same event_id. */
  write(event: NewEvent, options?: CallOptions): Promise<{ event_id: string }>;
  /** Returns the best match first, or the newest first if there is no query. */
  search(search: EventSearch, options?: CallOptions): Promise<FoundEvents>;
}

/**
 * Client for the governed documents, context assembly and events of one user.
 *
 * @example
 * const memory = new DocumentsClient({ baseUrl: 'http://127.0.0.1:8010', token, tenantId: 'acme', userId: 'alice' });
 * const { documents } = await memory.assembleContext({ profile_id: 'project-copilot-v1' });
 */
export class DocumentsClient {
  readonly #transport: Transport;
  readonly #user: { tenant_id: string; user_id: string };

  constructor(options: DocumentsClientOptions) {
    this.#transport = new Transport(options, governedDocumentsRoutes);
    this.#user = { tenant_id: options.tenantId, user_id: options.userId };
  }

  readonly documents: Documents = {
    get: async (namespace, path, { signal, timeoutMs, ...query } = {}) => {
      const place = { ...this.#user, namespace, path };
      try {
        return (await this.#transport.call('documents.get', { path: place, query }, limits(signal, timeoutMs))).answer;
      } catch (error) {
        if (error instanceof MemhallError && error.code === 'DOCUMENT_NOT_FOUND') return null;
        throw error;
      }
    },
    patch: async (namespace, path, body, options) => {
      const input = { path: { ...this.#user, namespace, path }, body, headers: writeHeaders(options) };
      return (await this.#transport.call('documents.patch', input, options)).answer;
    },
    replace: async (namespace, path, body, options) => {
      const input = { path: { ...this.#user, namespace, path }, body, headers: writeHeaders(options) };
      return (await this.#transport.call('documents.replace', input, options)).answer;
    },
    history: async (namespace, path, { signal, timeoutMs, ...query } = {}) => {
      const input = { path: { ...this.#user, namespace, path }, query };
      return (await this.#transport.call('documents.history', input, limits(signal, timeoutMs))).answer;
    },
    list: async ({ signal, timeoutMs, ...query } = {}) => {
      const input = { path: this.#user, query };
      return (await this.#transport.call('documents.list', input, limits(signal, timeoutMs))).answer;
    },
  };

  readonly events: Events = {
    write: async (event, options) => {
      const input = { path: this.#user, body: { event } };
      return (await this.#transport.call('events.write', input, options)).answer;
    },
    search: async (search, options) => {
      return (await this.#transport.call('events.search', { path: this.#user, body: search }, options)).answer;
    },
  };

  /** Returns the documents that an agent should know for a conversation, by priority and within a budget. */
  async assembleContext(request: ContextRequest, options: CallOptions = {}): Promise<Context> {
    return (await this.#transport.call('context.assemble', { path: this.#user, body: request }, options)).answer;
  }

  /** Returns the audit records of changes, newest first. */
  async audit({ signal, timeoutMs, ...query }: CallOptions & Query<'audit.list'> = {}): Promise<AuditRecords> {
    const input = { path: this.#user, query };
    return (await this.#transport.call('audit.list', input, limits(signal, timeoutMs))).answer;
  }
}

function limits(signal: AbortSignal | undefined, timeoutMs: number | undefined): CallOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function writeHeaders({ ifMatch, create, idempotencyKey }: DocumentWriteOptions): Record<string, string> {
  return {
    'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
    ...(create ? { 'if-none-match': '*' } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
}
