import type { LargePartition, VectorIndex } from '../ports/large-partitions.js';
import type { Scope, Store, StoreStatus, Tables, TenantReader } from '../ports/store.js';

/** A store that passes every call on. Decorators override what they change. */
export class ForwardingStore implements Store {
  readonly database: Store;

  constructor(database: Store) {
    this.database = database;
  }

  get archiveTypes() {
    return this.database.archiveTypes;
  }

  get isRebuiltFromAudit(): boolean {
    return this.database.isRebuiltFromAudit;
  }

  read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.read(scope, work);
  }

  write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.write(scope, work);
  }

  inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.inspect(tenantId, work);
  }

  administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.administer(tenantId, work);
  }

  count<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.count(tenantId, work);
  }

  erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.erase(scope, work);
  }

  openReader(tenantId: string): TenantReader {
    return this.database.openReader(tenantId);
  }

  restore<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.restore(scope, work);
  }

  changeCounter(): Promise<bigint> {
    return this.database.changeCounter();
  }

  webhookState(now: Date) {
    return this.database.webhookState(now);
  }

  tenantHeads(page: { after: string; limit: number }) {
    return this.database.tenantHeads(page);
  }

  users(tenantId: string): Promise<string[]> {
    return this.database.users(tenantId);
  }

  userOfKey(keyHash: Buffer) {
    return this.database.userOfKey(keyHash);
  }

  tokenRevocations(since: Date | null) {
    return this.database.tokenRevocations(since);
  }

  auditHeads(tenantId?: string) {
    return this.database.auditHeads(tenantId);
  }

  loggedTenants(): Promise<string[]> {
    return this.database.loggedTenants();
  }

  unsignedTenants() {
    return this.database.unsignedTenants();
  }

  waitingTenants(): Promise<string[]> {
    return this.database.waitingTenants();
  }

  signingState() {
    return this.database.signingState();
  }

  masterKeysInUse() {
    return this.database.masterKeysInUse();
  }

  largePartitions(): Promise<LargePartition[]> {
    return this.database.largePartitions();
  }

  arrangeVectorIndexes(wanted: readonly VectorIndex[], signal?: AbortSignal): Promise<void> {
    return this.database.arrangeVectorIndexes(wanted, signal);
  }

  uncopiedChains(limit: number) {
    return this.database.uncopiedChains(limit);
  }

  artifactOrigin(): Promise<string | null> {
    return this.database.artifactOrigin();
  }

  setArtifactOrigin(storeId: string): Promise<void> {
    return this.database.setArtifactOrigin(storeId);
  }

  workspacesMoved(): Promise<boolean> {
    return this.database.workspacesMoved();
  }

  setWorkspacesMoved(): Promise<void> {
    return this.database.setWorkspacesMoved();
  }

  refreshStatistics(): Promise<void> {
    return this.database.refreshStatistics();
  }

  status(): Promise<StoreStatus> {
    return this.database.status();
  }

  ping(): Promise<void> {
    return this.database.ping();
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
