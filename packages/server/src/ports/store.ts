import type { Archive, ArchiveType } from './archive.js';
import type { Artifacts } from './artifacts.js';
import type { AuditHead, AuditLog } from './audit-log.js';
import type { DocumentCheckpoints } from './document-checkpoints.js';
import type { Episodes } from './episodes.js';
import type { Erasure } from './erasure.js';
import type { IdempotencyKeys } from './idempotency-keys.js';
import type { LargePartition, LargePartitions, VectorIndex } from './large-partitions.js';
import type { LegalHolds } from './legal-holds.js';
import type { Memories } from './memories.js';
import type { MemoryIndex } from './memory-index.js';
import type { Namespaces } from './namespaces.js';
import type { OuterHeads } from './outer-heads.js';
import type { Plans } from './plans.js';
import type { Quarantine } from './quarantine.js';
import type { Receipts } from './receipts.js';
import type { Registry } from './registry.js';
import type { Replays } from './replays.js';
import type { Resources } from './resources.js';
import type { Retention } from './retention.js';
import type { Sessions } from './sessions.js';
import type { TaskContexts } from './task-contexts.js';
import type { TenantKeys } from './tenant-keys.js';
import type { Tenants } from './tenants.js';
import type { UnresolvedPatches } from './unresolved-patches.js';
import type { UserKeys } from './user-keys.js';
import type { WorkingValues } from './working-values.js';

/** Whose data a transaction may touch. The database enforces it too, by row-level security. */
export interface Scope {
  tenantId: string;
  /** null: the tenant itself, no user's data. */
  userId: string | null;
  /** Namespaces whose memories may be read and, where the caller's code lets it, written. */
  namespaces?: readonly string[];
  /**
   * When the request came in, by `performance.now()`; default: when the transaction is asked for. A write that calls
   * `audit.append` fails with CONFLICT if its user or tenant was erased since: nothing that was under way may outlive that.
   */
  since?: number | undefined;
}

export interface Tables {
  workingValues: WorkingValues;
  taskContexts: TaskContexts;
  plans: Plans;
  sessions: Sessions;
  memories: Memories;
  memoryIndex: MemoryIndex;
  largePartitions: LargePartitions;
  namespaces: Namespaces;
  tenants: Tenants;
  registry: Registry;
  artifacts: Artifacts;
  documentCheckpoints: DocumentCheckpoints;
  idempotencyKeys: IdempotencyKeys;
  tenantKeys: TenantKeys;
  replays: Replays;
  unresolvedPatches: UnresolvedPatches;
  quarantine: Quarantine;
  userKeys: UserKeys;
  episodes: Episodes;
  resources: Resources;
  audit: AuditLog;
  archive: Archive;
  outerHeads: OuterHeads;
  /** Waits until what was queued has been done, and throws the first failure among it. */
  settled(): Promise<void>;
  legalHolds: LegalHolds;
  retention: Retention;
  erasure: Erasure;
  receipts: Receipts;
}

export interface StoreStatus {
  kind: 'embedded' | 'postgres';
  serverVersion: string;
  vectorVersion: string;
  schemaVersion: number;
  sizeBytes: number;
}

/** Reads as the operator's role, every user of one tenant, that can be made to see one state. */
export interface TenantReader {
  /** False where a reader that holds keeps everybody else waiting: all transactions share one backend there. */
  readonly holdsFreely: boolean;
  /** While nothing is held, each call sees the state of its own moment. */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /** From now on all reads see the state of now. */
  hold(): Promise<void>;
  /** The end of `hold`; nothing where nothing is held. */
  release(): Promise<void>;
}

/**
 * Transactions over everything Memhall keeps.
 *
 * `work` runs inside one transaction and may run again from the start when the database asks for a retry (deadlock,
 * serialisation failure): it must have no effect outside its tables. If it throws, nothing is stored and the error
 * comes out unchanged. Database failures come out as Problems: UNAVAILABLE when a later try may succeed.
 */
export interface Store {
  /** No writes. All statements see the state that was committed when the first one ran. */
  read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Write transactions of one user run one after another, on all nodes: what `work` reads stays true until it commits.
   * Resolves after the commit is durable.
   */
  write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** As the operator's role: every user of one tenant, read only. */
  inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** As the operator's role: what a tenant's own users may not change. Takes turns with other such transactions of the tenant. */
  administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * As the eraser's role, the only one that may remove audit records: one user of a tenant, or with null the tenant itself. Takes
   * turns with the writes of that user, or with `administer`, as if it were one of them: a write either was committed before and
   * is removed, or comes after. Statements may take as long as they need.
   */
  erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** As the operator's role, for more than one transaction holds. Whoever holds has to release. */
  openReader(tenantId: string): TenantReader;
  /**
   * As the importer's role, which adds rows as they are given, audit records among them, and changes none. Takes turns with the
   * writes of the user, or with `administer` where there is none.
   */
  restore<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** True if the rows are rebuilt from the audit records, so that those must never be cut. */
  readonly isRebuiltFromAudit: boolean;
  /** Kinds of records that archives have, in the order in which they have to be restored: the tenant's, then users'. */
  readonly archiveTypes: readonly ArchiveType[];
  /** Users of a tenant of whom anything may be stored: every write leaves an audit record, so those with an audit chain. */
  users(tenantId: string): Promise<string[]>;
  /** Whose key has this hash, of all users of all tenants; undefined: nobody's. */
  userOfKey(keyHash: Buffer): Promise<{ tenantId: string; userId: string } | undefined>;
  /** Head of every audit chain, ordered by tenant and user; `tenantId` narrows it to one tenant. */
  auditHeads(tenantId?: string): Promise<AuditHead[]>;
  /** Tenants that have data keys, with the names of the master keys those are wrapped with. */
  masterKeysInUse(): Promise<{ tenantId: string; wrappedBy: string }[]>;
  /** Every partition that has an index of its own, of all tenants. */
  largePartitions(): Promise<LargePartition[]>;
  /**
   * Makes the vector indexes that are missing and drops those nobody wants, beside reads and writes. Takes as long as that takes.
   * Where another process is at it already, or the database cannot, nothing happens. Rejects when the database user lacks the right,
   * and soon after the signal.
   */
  arrangeVectorIndexes(wanted: readonly VectorIndex[], signal?: AbortSignal): Promise<void>;
  /** Users (and tenants, '') whose audit chain goes on behind what the outer store has of it; at most `limit`. */
  uncopiedChains(limit: number): Promise<{ tenantId: string; userId: string }[]>;
  /** Id of the outer store that the artifacts are derived from; null: they live here. */
  artifactOrigin(): Promise<string | null>;
  /** For good; another id than the one that is set fails with CONFLICT. */
  setArtifactOrigin(storeId: string): Promise<void>;
  /** Lets a database that does not do so by itself count what it holds, if that has grown: its plans depend on it. */
  refreshStatistics(): Promise<void>;
  status(): Promise<StoreStatus>;
  /** Rejects with UNAVAILABLE when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
