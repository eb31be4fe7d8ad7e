import { Problem } from '@memhall/core';
import type { Archive } from '../ports/archive.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Artifacts } from '../ports/artifacts.js';
import type { Counts, Erasure } from '../ports/erasure.js';
import { type EventIndex, EventIndexError } from '../ports/event-index.js';
import { overrideTables } from '../ports/override-tables.js';
import type { Retention } from '../ports/retention.js';
import type { Tables } from '../ports/store.js';

const namesAtATime = 1000;

/** Events that have to wait for the index before their documents may be removed. Let them, then run the transaction again. */
export class UnmarkedEvents extends Error {
  override readonly name = 'UnmarkedEvents';

  constructor(readonly eventIds: readonly string[] | 'all') {
    super('events are not marked as waiting for the index');
  }
}

/**
 * The tables of a transaction, and a record of which events it changes. The documents of events that it removes or replaces are
 * removed from the index before COMMIT. If that fails, so does the transaction. If the transaction fails after it, its events are
 * there without a document; they already wait for one, because documents are removed only of waiting events.
 */
export class IndexedTables {
  readonly tables: Tables;
  readonly #index: EventIndex;
  readonly #owner: ArtifactOwner;
  readonly #database: Tables;
  readonly #now: Date;
  /** Events that were put, and whether the index may have a document of an earlier version. */
  readonly #put = new Map<string, boolean>();
  readonly #removed = new Set<string>();
  #hasPut = false;

  constructor(index: EventIndex, owner: ArtifactOwner, tables: Tables, now: Date) {
    this.#index = index;
    this.#owner = owner;
    this.#database = tables;
    this.#now = now;
    const artifacts = () => this.#traceArtifacts(tables.artifacts);
    const retention = () => this.#traceRetention(tables.retention);
    const erasure = () => this.#traceErasure(tables.erasure);
    this.tables = overrideTables(tables, {
      get artifacts() {
        return artifacts();
      },
      get retention() {
        return retention();
      },
      get erasure() {
        return erasure();
      },
      flushed: async () => {
        await tables.flushed();
        await this.finish();
        await tables.flushed();
      },
    });
  }

  /** Whether the index has to be brought up to date. */
  get hasPut(): boolean {
    return this.#hasPut;
  }

  /** Brings the index to the state that the transaction is about to commit. Can be called more than once. */
  async finish(): Promise<void> {
    const { unindexedEvents } = this.#database;
    const put = [...this.#put.keys()];
    const removed = [...this.#removed];
    const outdated = [...removed, ...put.filter((id) => this.#put.get(id))];
    if (outdated.length > 0) {
      await this.#database.flushed();
      const unmarked = await unindexedEvents.notWaiting(outdated);
      if (unmarked.length > 0) throw new UnmarkedEvents(unmarked);
      await insisting(this.#index.remove(this.#owner, outdated));
    }
    if (put.length > 0) unindexedEvents.add(put, this.#now);
    if (removed.length > 0) unindexedEvents.remove(removed);
    this.#hasPut ||= put.length > 0;
    this.#put.clear();
    this.#removed.clear();
  }

  #traceArtifacts(artifacts: Artifacts): Artifacts {
    return {
      ...artifacts,
      put: (artifact, options) => {
        if (artifact.kind === 'event') this.#notePut(artifact.name, artifact.version > 1);
        artifacts.put(artifact, options);
      },
      delete: (key) => {
        if (key.kind === 'event') this.#noteRemoved(key.name);
        artifacts.delete(key);
      },
    };
  }

  #traceRetention(retention: Retention): Retention {
    return {
      ...retention,
      removeArtifacts: async (kind, before, limit) => {
        const keys = await retention.removeArtifacts(kind, before, limit);
        if (kind === 'event') for (const { name } of keys) this.#noteRemoved(name);
        return keys;
      },
    };
  }

  #traceErasure(erasure: Erasure): Erasure {
    const { tenantId, userId } = this.#owner;
    return {
      ...erasure,
      removeUser: async () => {
        const { unindexedEvents, artifacts } = this.#database;
        if (!(await unindexedEvents.allWait())) throw new UnmarkedEvents('all');
        const names = await eventsOf(artifacts);
        const counts = await erasure.removeUser();
        const documents = await insisting(this.#index.removeAll(tenantId, userId));
        await insisting(this.#index.remove(this.#owner, names));
        return withDocuments(counts, documents);
      },
      // Users were erased before, so the index may still find documents that are already removed: these are not counted again.
      removeTenant: async () => {
        const counts = await erasure.removeTenant();
        await insisting(this.#index.removeAll(tenantId, null));
        return withDocuments(counts, 0);
      },
    };
  }

  #notePut(eventId: string, isReplaced: boolean): void {
    this.#put.set(eventId, isReplaced || this.#put.get(eventId) === true || this.#removed.has(eventId));
    this.#removed.delete(eventId);
  }

  #noteRemoved(eventId: string): void {
    this.#put.delete(eventId);
    this.#removed.add(eventId);
  }
}

/** Returns tables that add the ids of restored events to `restored`. */
export function notingRestored(tables: Tables, restored: Set<string>): Tables {
  const noting = (archive: Archive): Archive => ({
    ...archive,
    restore: (type, records) => {
      const events = records.filter(({ row }) => type.name === 'artifact' && row.kind === 'event');
      for (const { row } of events) restored.add(String(row.name));
      return archive.restore(type, records);
    },
  });
  return overrideTables(tables, {
    get archive() {
      return noting(tables.archive);
    },
  });
}

/** Adds documents of the index to what is still there of an erased user or tenant. */
export function countingDocuments(index: EventIndex, tenantId: string, tables: Tables): Tables {
  const counting = (erasure: Erasure): Erasure => ({
    ...erasure,
    async count(userId, moment) {
      const { before, since } = await erasure.count(userId, moment);
      const documents = await insisting(index.count(tenantId, userId, moment));
      return { before: withDocuments(before, documents.before), since: withDocuments(since, documents.since) };
    },
  });
  return overrideTables(tables, {
    get erasure() {
      return counting(tables.erasure);
    },
  });
}

/** The kind that documents of the index are counted as in receipts. `search_documents` are the engine's own. */
function withDocuments(counts: Counts, documents: number): Counts {
  return { ...counts, index_documents: documents };
}

async function eventsOf(artifacts: Artifacts): Promise<string[]> {
  const names: string[] = [];
  for (let after = ''; ; ) {
    const page = await artifacts.list('event', { after: ['', after], limit: namesAtATime });
    names.push(...page.map(({ name }) => name));
    after = page.at(-1)?.name ?? '';
    if (page.length < namesAtATime) return names;
  }
}

/** Turns failures of the index into ones that callers understand. */
async function insisting<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof EventIndexError)) throw error;
    const message = 'The search index of events cannot be changed now, so nothing was done. Try again shortly.';
    const retryAfterSeconds = Math.max(5, Math.ceil((error.retryAfterMs ?? 0) / 1000));
    throw new Problem('UNAVAILABLE', message, { retryAfterSeconds, cause: error });
  }
}
