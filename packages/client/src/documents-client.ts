import { orNull } from './client-area.js';
import { type Body, type DocumentsScope, type Query, splitOptions } from './documents-call.js';
import { type Conversations, conversationsOf, type Replays, replaysOf } from './documents-conversations.js';
import { type Profiles, profilesOf, type Schemas, schemasOf } from './documents-registry.js';
import { type ReviewQueue, reviewQueueOf, type UnresolvedPatches, unresolvedOf } from './documents-unresolved.js';
import type {
  AuditRecords,
  CheckedReceipt,
  Context,
  DocumentAnswer,
  DocumentHistory,
  DocumentList,
  ErasureAnswer,
  Operations,
  WriteAnswer,
} from './generated/operations.js';
import { governedDocumentsRoutes } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, type ClientOptions, Transport } from './transport.js';

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
 * Client for the governed documents of one user, and for what is around them: context assembly, events, conversations
 * and what is learned from them, profiles and schemas of the tenant, erasure.
 *
 * @example
 * const memory = new DocumentsClient({ baseUrl: 'http://127.0.0.1:8010', token, tenantId: 'acme', userId: 'alice' });
 * const { documents } = await memory.assembleContext({ profile_id: 'project-copilot-v1' });
 */
export class DocumentsClient {
  readonly #transport: Transport;
  readonly #user: { tenant_id: string; user_id: string };
  readonly conversations: Conversations;
  readonly replays: Replays;
  readonly unresolved: UnresolvedPatches;
  readonly reviewQueue: ReviewQueue;
  readonly profiles: Profiles;
  readonly schemas: Schemas;

  constructor(options: DocumentsClientOptions) {
    this.#transport = new Transport(options, governedDocumentsRoutes);
    this.#user = { tenant_id: options.tenantId, user_id: options.userId };
    const tenant = { tenant_id: options.tenantId };
    const scope: DocumentsScope = { transport: this.#transport, tenant, user: this.#user };
    this.conversations = conversationsOf(scope);
    this.replays = replaysOf(scope);
    this.unresolved = unresolvedOf(scope);
    this.reviewQueue = reviewQueueOf(scope);
    this.profiles = profilesOf(scope);
    this.schemas = schemasOf(scope);
  }

  readonly documents: Documents = {
    get: async (namespace, path, given = {}) => {
      const { query, options } = splitOptions(given);
      const place = { ...this.#user, namespace, path };
      try {
        return (await this.#transport.call('documents.get', { path: place, query }, options)).answer;
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
    history: async (namespace, path, given = {}) => {
      const { query, options } = splitOptions(given);
      const input = { path: { ...this.#user, namespace, path }, query };
      return (await this.#transport.call('documents.history', input, options)).answer;
    },
    list: async (given = {}) => {
      const { query, options } = splitOptions(given);
      const input = { path: this.#user, query };
      return (await this.#transport.call('documents.list', input, options)).answer;
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
  async audit(given: CallOptions & Query<'audit.list'> = {}): Promise<AuditRecords> {
    const { query, options } = splitOptions(given);
    const input = { path: this.#user, query };
    return (await this.#transport.call('audit.list', input, options)).answer;
  }

  /** Erases everything about the user and returns a receipt. Needs the role admin. Throws MemhallError LEGAL_HOLD. */
  async forget(options: CallOptions = {}): Promise<ErasureAnswer> {
    return (await this.#transport.call('users.forget', { path: this.#user }, options)).answer;
  }

  /** Reads a receipt and counts again what is left. Needs the role admin. Returns null if there is no such receipt. */
  async checkReceipt(receiptId: string, options: CallOptions = {}): Promise<CheckedReceipt | null> {
    const path = { tenant_id: this.#user.tenant_id, receipt_id: receiptId };
    return (await orNull(this.#transport.call('receipts.check', { path }, options)))?.answer ?? null;
  }
}

function writeHeaders({ ifMatch, create, idempotencyKey }: DocumentWriteOptions): Record<string, string> {
  return {
    'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
    ...(create ? { 'if-none-match': '*' } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
}
