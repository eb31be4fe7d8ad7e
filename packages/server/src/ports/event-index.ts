import type { EventRecord } from './artifact-bodies.js';
import type { ArtifactOwner } from './artifact-store.js';

/**
 * - `unavailable`: may work later (network, overload, timeout, outage). `retryable` is true.
 * - `missing`: the index has to be created.
 * - `rejected`: the service rejected the request (identity, key, permission); the same request will fail again.
 * - `misfit`: an index of this name exists, but was made by something else.
 */
type EventIndexErrorCode = 'unavailable' | 'missing' | 'rejected' | 'misfit';

/** The only error an event index throws. Its message never contains a key, a token or the text of an event or query. */
export class EventIndexError extends Error {
  override readonly name = 'EventIndexError';
  readonly code: EventIndexErrorCode;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: EventIndexErrorCode, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  get retryable(): boolean {
    return this.code === 'unavailable';
  }
}

/** An event with what tells whether a document of the index is about its present version. */
export interface IndexableEvent {
  event: EventRecord;
  etag: string;
  /** When the event was first stored. */
  createdAt: Date;
}

/** All conditions that are given must hold. */
export interface EventIndexSearch {
  /** Matched word by word; nothing in it is an operator. */
  text: string;
  serviceId?: string | undefined;
  sourceType?: string | undefined;
  projectId?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  limit: number;
}

export interface EventHit {
  eventId: string;
  /** Of the version that was indexed. If the event has another one now, the hit does not count. */
  etag: string;
  /** 0 … 1, growing with the score that the service computed. */
  score: number;
}

/**
 * A search index of events outside of the database. It is derived: what it finds is read from the store before anybody sees
 * it, and it can be dropped and rebuilt at any time. There is one document for each event, of its present version or none.
 *
 * Writes are accepted at once and found a moment later. Every call can be repeated. Documents of one user are only changed under
 * the lock of that user's writes, so that none outlives its event.
 */
export interface EventIndex {
  /** Names service and index; safe to show. */
  readonly address: string;
  /** Throws `misfit` if there is an index of this name that cannot hold events. */
  exists(): Promise<boolean>;
  /** Does nothing if it exists. */
  create(): Promise<void>;
  /** Removes the index with all documents. Does nothing if there is none. */
  drop(): Promise<void>;
  /**
   * Adds documents, replacing those of the same events. Splits them into as many requests as needed. Returns the ids of events that
   * the service cannot index at all. Throws if any other was not accepted.
   */
  put(owner: ArtifactOwner, events: readonly IndexableEvent[]): Promise<string[]>;
  /** Removes the documents of events, if they exist. When it resolves, the service has accepted that for all of them. */
  remove(owner: ArtifactOwner, eventIds: readonly string[]): Promise<void>;
  /**
   * Removes every document of a user, or with null of the tenant and all its users, that the index finds. Returns their number.
   * Documents that were added a moment ago may not be found yet: remove those by their ids as well.
   */
  removeAll(tenantId: string, userId: string | null): Promise<number>;
  /** Counts the documents of a user, or with null of the whole tenant, split by whether their event was stored before this time. */
  count(tenantId: string, userId: string | null, moment: Date): Promise<{ before: number; since: number }>;
  /** Returns the events of a user that match a word of the text and all conditions, best first. */
  search(owner: ArtifactOwner, search: EventIndexSearch): Promise<EventHit[]>;
}
