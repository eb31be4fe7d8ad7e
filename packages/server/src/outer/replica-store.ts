import { performance } from 'node:perf_hooks';
import { Problem } from '@memhall/core';
import type { ReadReplica } from '../ports/read-replica.js';
import type { Scope, Store, Tables } from '../ports/store.js';
import { ForwardingStore } from './forwarding-store.js';

/**
 * Operations that only show what is stored. What decides about a write, such as state that workers compare and set, is read from the
 * primary.
 */
const shown = new Set([
  ...['memory.recall', 'memory.why', 'memory.list', 'memory.get', 'memory.export'],
  ...['facts.list', 'facts.get', 'subjects.list', 'subjects.get'],
  ...['semantic.query', 'semantic.find', 'semantic.list', 'semantic.get', 'semantic.byExternalId'],
  ...['episodic.recent', 'episodic.search', 'episodic.get'],
  ...['procedural.list', 'procedural.context', 'procedural.get'],
  ...['gateway.search', 'resources.list', 'resources.get', 'plugin.search', 'provider.recall'],
  ...['documents.list', 'documents.get', 'documents.history', 'context.assemble', 'events.search', 'audit.list'],
  ...['mcp.search_memory', 'mcp.list_namespaces'],
]);
/** After a failure, the standby is left alone for a while. */
const restMs = 2000;

/** How many reads were served where. */
interface ReplicaReads {
  standby: number;
  /** Because the standby was behind, or failed. */
  primary: number;
}

/** A store that reads what is only shown from a standby. Nobody can tell, but for the time it takes. See docs/decisions/0088. */
export class ReplicaStore extends ForwardingStore {
  readonly reads: ReplicaReads = { standby: 0, primary: 0 };
  readonly #replica: ReadReplica;
  readonly #onFault: (error: unknown) => void;
  /** When a write of this process last ended: a request may read what it has written itself. */
  #writtenAtMs = 0;
  #restsUntilMs = 0;

  constructor(database: Store, replica: ReadReplica, onFault: (error: unknown) => void) {
    super(database);
    this.#replica = replica;
    this.#onFault = onFault;
  }

  override async read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    if (!shown.has(scope.operation ?? '')) return super.read(scope, work);
    const found = await this.#readFromStandby(scope, work);
    if (found !== undefined) {
      this.reads.standby += 1;
      return found.result;
    }
    this.reads.primary += 1;
    return super.read(scope, work);
  }

  override write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#writing(super.write(scope, work));
  }

  override administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#writing(super.administer(tenantId, work));
  }

  override erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#writing(super.erase(scope, work));
  }

  override restore<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#writing(super.restore(scope, work));
  }

  /** Ends the connections to the standby. */
  closeReplica(): Promise<void> {
    return this.#replica.close();
  }

  async #readFromStandby<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<{ result: T } | undefined> {
    const now = performance.now();
    if (now < this.#restsUntilMs) return undefined;
    try {
      return await this.#replica.read(scope, Math.max(scope.since ?? now, this.#writtenAtMs), work);
    } catch (error) {
      if (error instanceof Problem && error.code !== 'UNAVAILABLE') throw error;
      this.#restsUntilMs = performance.now() + restMs;
      this.#onFault(error);
      return undefined;
    }
  }

  async #writing<T>(written: Promise<T>): Promise<T> {
    try {
      return await written;
    } finally {
      this.#writtenAtMs = performance.now();
    }
  }
}
