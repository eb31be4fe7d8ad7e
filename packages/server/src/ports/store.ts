import type { Archive, ArchiveType } from './archive.js';
import type { Artifacts } from './artifacts.js';
import type { Attributes } from './attributes.js';
import type { AuditHead, AuditLog } from './audit-log.js';
import type { Changes } from './changes.js';
import type { Conversations } from './conversations.js';
import type { DocumentCheckpoints } from './document-checkpoints.js';
import type { Episodes } from './episodes.js';
import type { Erasure } from './erasure.js';
import type { FactPlaces } from './fact-places.js';
import type { FactReadings } from './fact-readings.js';
import type { Facts } from './facts.js';
import type { IdempotencyKeys } from './idempotency-keys.js';
import type { LargePartition, LargePartitions, VectorIndex } from './large-partitions.js';
import type { LegalHolds } from './legal-holds.js';
import type { Memories } from './memories.js';
import type { MemoryIndex } from './memory-index.js';
import type { Namespaces } from './namespaces.js';
import type { UnrecordedSessions } from './off-the-record.js';
import type { OuterHeads } from './outer-heads.js';
import type { Plans } from './plans.js';
import type { PluginNamespaces } from './plugin-namespaces.js';
import type { Quarantine } from './quarantine.js';
import type { QuotaCounts } from './quota-counts.js';
import type { Receipts } from './receipts.js';
import type { Registry } from './registry.js';
import type { Replays } from './replays.js';
import type { Resources } from './resources.js';
import type { Retention } from './retention.js';
import type { Sessions } from './sessions.js';
import type { SignedLog, SigningState } from './signed-log.js';
import type { SourceReverts } from './source-reverts.js';
import type { Subjects } from './subjects.js';
import type { TaskContexts } from './task-contexts.js';
import type { TenantKeys } from './tenant-keys.js';
import type { Tenants } from './tenants.js';
import type { TokenRevocation, TokenRevocations } from './token-revocations.js';
import type { UnindexedEvents } from './unindexed-events.js';
import type { UnresolvedPatches } from './unresolved-patches.js';
import type { UserKeys } from './user-keys.js';
import type { UserSettings } from './user-settings.js';
import type { WebhookState, Webhooks } from './webhooks.js';
import type { WorkingValues } from './working-values.js';

/** The data a transaction may access. The database enforces it as well, by row-level security. */
export interface Scope {
  tenantId: string;
  /** null for the tenant itself, without any user's data. */
  userId: string | null;
  /** The workspace whose memories may be read as well. */
  workspaceId?: string | undefined;
  /** The owners of the notes in that workspace that may be read, such as `agent:a1`; default: all. */
  noteOwners?: readonly string[] | undefined;
  /** Namespaces whose memories may be read. */
  namespaces?: readonly string[] | undefined;
  /** Namespaces that may be written; they must be among those that may be read. */
  writableNamespaces?: readonly string[] | undefined;
  /**
   * When the request arrived, by `performance.now()`; by default when the transaction is requested. A write that calls
   * `audit.append` fails with CONFLICT if its user or tenant was erased since then: no request in progress may outlive
   * an erasure.
   */
  since?: number | undefined;
  /** What the transaction is part of, such as `working.put`: see `LoopMarks`. */
  operation?: string;
}

/** A store may build its tables on first use. To replace some of them, use `overrideTables`: a spread loses the others. */
export interface Tables {
  workingValues: WorkingValues;
  taskContexts: TaskContexts;
  plans: Plans;
  sessions: Sessions;
  unrecordedSessions: UnrecordedSessions;
  memories: Memories;
  facts: Facts;
  factReadings: FactReadings;
  factPlaces: FactPlaces;
  subjects: Subjects;
  sourceReverts: SourceReverts;
  attributes: Attributes;
  memoryIndex: MemoryIndex;
  largePartitions: LargePartitions;
  namespaces: Namespaces;
  pluginNamespaces: PluginNamespaces;
  tenants: Tenants;
  registry: Registry;
  artifacts: Artifacts;
  documentCheckpoints: DocumentCheckpoints;
  idempotencyKeys: IdempotencyKeys;
  tenantKeys: TenantKeys;
  conversations: Conversations;
  replays: Replays;
  unresolvedPatches: UnresolvedPatches;
  quarantine: Quarantine;
  userKeys: UserKeys;
  userSettings: UserSettings;
  episodes: Episodes;
  resources: Resources;
  audit: AuditLog;
  changes: Changes;
  signedLog: SignedLog;
  archive: Archive;
  outerHeads: OuterHeads;
  unindexedEvents: UnindexedEvents;
  tokenRevocations: TokenRevocations;
  webhooks: Webhooks;
  quotaCounts: QuotaCounts;
  /** Waits until all queued statements have completed, and throws the first failure among them. */
  flushed(): Promise<void>;
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

/** Reads all users of one tenant with the operator's role. Several reads can be made to see the same state. */
export interface TenantReader {
  /** False if a reader that holds a state blocks everyone else, because all transactions share one backend. */
  readonly holdsFreely: boolean;
  /** While no state is held, each call sees the state at the time of the call. */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /** Makes all following reads see the current state. */
  hold(): Promise<void>;
  /** Ends `hold`; does nothing if no state is held. */
  release(): Promise<void>;
}

/**
 * Transactions over all data of Memhall.
 *
 * `work` runs inside one transaction and may run again from the start if the database asks for a retry (deadlock,
 * serialization failure): it must have no effects outside its tables. If it throws, nothing is stored and the error is
 * rethrown unchanged. Database failures are thrown as Problems: UNAVAILABLE if a retry may succeed.
 */
export interface Store {
  /** Returns a number that grows whenever something is about to change for a follower of any tenant; it may grow before the commit. */
  changeCounter(): Promise<bigint>;
  /** Read-only. All statements see the state that was committed when the first one ran. */
  read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Write transactions of one user are serialized across all nodes: the data `work` reads stays valid until it commits.
   * Resolves after the commit is durable.
   */
  write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** Runs with the operator's role: all users of one tenant, read-only. */
  inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Runs with the operator's role, for data that the tenant's users may not change. Serialized with other such
   * transactions of the tenant.
   */
  administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** Runs with the operator's role, for counters: not serialized with anything, so each statement must be right by itself. */
  count<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Runs with the eraser's role, the only one that may remove audit records: for one user of a tenant, or with null for
   * the tenant itself. Serialized with the writes of that user, or with `administer`: a write is either committed
   * before and removed, or comes after. Statements have no time limit.
   */
  erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Opens a reader with the operator's role, for reads that do not fit into one transaction. A caller that holds a
   * state must release it.
   */
  openReader(tenantId: string): TenantReader;
  /**
   * Runs with the importer's role, which adds rows as given, including audit records, and changes none. Serialized with
   * the writes of the user, or with `administer` if there is no user.
   */
  restore<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T>;
  /** True if the rows are rebuilt from the audit records, which must therefore never be cut. */
  readonly isRebuiltFromAudit: boolean;
  /** Record types of archives, in the order in which they must be restored: the tenant's, then users'. */
  readonly archiveTypes: readonly ArchiveType[];
  /**
   * Returns the users of a tenant that may have stored data: those with an audit chain, because every write leaves an
   * audit record.
   */
  users(tenantId: string): Promise<string[]>;
  /** Returns the user whose key has this hash, among all users of all tenants; undefined if there is none. */
  userOfKey(keyHash: Buffer): Promise<{ tenantId: string; userId: string } | undefined>;
  /** Returns revocations of tokens of all tenants: those that changed since a time, or with null all that were not undone. */
  tokenRevocations(since: Date | null): Promise<{ tenantId: string; revocation: TokenRevocation }[]>;
  /** Returns the head of every audit chain, ordered by tenant and user; `tenantId` limits it to one tenant. */
  auditHeads(tenantId?: string): Promise<AuditHead[]>;
  /** Returns the tenants with audit chains, ordered, after a tenant: how many owners have one, and how many records there are. */
  tenantHeads(page: { after: string; limit: number }): Promise<{ tenantId: string; owners: number; changes: number }[]>;
  /** Returns the tenants that have signed logs, ordered. */
  loggedTenants(): Promise<string[]>;
  /**
   * Returns the tenants that have audit records without a leaf in their open log, with the time of their last head; null if they have
   * none.
   */
  unsignedTenants(): Promise<{ tenantId: string; signedAt: Date | null }[]>;
  /** Returns the tenants with signed heads that the witness has not confirmed, of open logs. */
  waitingTenants(): Promise<string[]>;
  signingState(): Promise<SigningState>;
  /** Returns what webhooks of all tenants are waiting for. */
  webhookState(now: Date): Promise<WebhookState>;
  /** Returns the tenants that have data keys, with the ids of the master keys that wrap them. */
  masterKeysInUse(): Promise<{ tenantId: string; wrappedBy: string }[]>;
  /** Returns every partition, of any tenant, that has its own index. */
  largePartitions(): Promise<LargePartition[]>;
  /**
   * Builds missing vector indexes and drops unwanted ones, without blocking reads and writes. Can take long. Does
   * nothing if another process is already doing it or the database does not support it. Rejects if the database user
   * lacks the privilege, and soon after the signal aborts.
   */
  arrangeVectorIndexes(wanted: readonly VectorIndex[], signal?: AbortSignal): Promise<void>;
  /** Returns users (and tenants, as '') whose audit chain is ahead of its copy in the outer store; at most `limit`. */
  uncopiedChains(limit: number): Promise<{ tenantId: string; userId: string }[]>;
  /** Returns the id of the outer store that the artifacts are derived from; null if they are stored here. */
  artifactOrigin(): Promise<string | null>;
  /** Permanent; fails with CONFLICT if a different id is already set. */
  setArtifactOrigin(storeId: string): Promise<void>;
  /** Returns whether all notes in the outer store are stored under their workspaces; see `setWorkspacesMoved`. */
  workspacesMoved(): Promise<boolean>;
  /** Records that no note is stored under the user of its workspace's name any more. Does nothing without an outer store. */
  setWorkspacesMoved(): Promise<void>;
  /**
   * Updates the planner statistics if the data has grown, in a database that does not do so automatically. Query plans
   * depend on them.
   */
  refreshStatistics(): Promise<void>;
  status(): Promise<StoreStatus>;
  /** Rejects with UNAVAILABLE if the database does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
