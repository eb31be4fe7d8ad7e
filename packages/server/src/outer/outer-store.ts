import { Problem } from '@memhall/core';
import type { Engine } from '../engine/engine.js';
import type { ArtifactOwner, ArtifactStore } from '../ports/artifact-store.js';
import type { Scope, Store, Tables } from '../ports/store.js';
import { attemptWrite, confirmingRefusals } from './attempt-write.js';
import { AuditCopies } from './audit-copies.js';
import { catchUp } from './catch-up.js';
import { confirmSeen } from './confirm-seen.js';
import { copyNoted } from './copy-chain.js';
import { usersWithBlobs } from './erase-blobs.js';
import { countingBlobs, ErasingTables } from './erasing-tables.js';
import { ForwardingStore } from './forwarding-store.js';
import { KnownJournals } from './known-journals.js';
import { moveWorkspaces } from './move-workspaces.js';
import { type Outer, ownerOf } from './outer.js';
import { OuterFiles } from './outer-files.js';
import { rebuildAll } from './rebuild-all.js';
import { StaleRows } from './stale-rows.js';
import { TracedTables } from './traced-tables.js';

const maxTries = 5;

/** The engine without the parts that depend on where artifacts live. */
export type EngineParts = Omit<Engine, 'store' | 'resourceFiles'>;

/**
 * A database whose artifacts live in an outer store, which is the source of truth. Use cases see ordinary transactions:
 * reads of documents are confirmed with the outer store, and a write that changes artifacts commits only after they are there.
 * See docs/decisions/0016.
 */
export class OuterStore extends ForwardingStore {
  readonly #outer: Outer;

  constructor(database: Store, blobs: ArtifactStore, parts: EngineParts) {
    super(database);
    const files = new OuterFiles(blobs);
    const engine: Engine = { ...parts, store: this, resourceFiles: files };
    this.#outer = { blobs, database, engine, files, journals: new KnownJournals(), copies: new AuditCopies() };
  }

  get blobs(): ArtifactStore {
    return this.#outer.blobs;
  }

  get files(): OuterFiles {
    return this.#outer.files;
  }

  /** The database is rebuilt from the audit records in the outer store, starting with the first one. */
  override get isRebuiltFromAudit(): boolean {
    return true;
  }

  override read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    const owner = ownerOf(scope);
    return this.#untilCurrent(owner, async () => {
      const { result, traced } = await confirmingRefusals(this.#outer, owner, (follow) =>
        this.database.read(scope, async (tables) => {
          const traced = follow(new TracedTables(tables));
          return { result: await work(traced.tables), traced };
        }),
      );
      await confirmSeen(this.#outer.blobs, owner, traced.seen);
      return result;
    });
  }

  override write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#untilCurrent(ownerOf(scope), () => attemptWrite(this.#outer, scope, work));
  }

  override inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.inspect(tenantId, (tables) => work(countingBlobs(this.#outer, tenantId, tables)));
  }

  override async administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    const { result, traced } = await this.database.administer(tenantId, async (tables) => {
      const traced = new TracedTables(tables);
      return { result: await work(traced.tables), traced };
    });
    if (traced.records.length > 0) this.#outer.copies.note({ tenantId, userId: '' });
    return result;
  }

  override async erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    const { result, erasing } = await this.database.erase(scope, async (tables) => {
      const erasing = new ErasingTables(this.#outer, ownerOf(scope), tables);
      const result = await work(erasing.tables);
      await erasing.finish();
      return { result, erasing };
    });
    for (const chain of erasing.chains) this.#outer.copies.note(chain);
    return result;
  }

  /** Includes users of whom only blobs are left. */
  override async users(tenantId: string): Promise<string[]> {
    const known = await this.database.users(tenantId);
    return [...new Set([...known, ...(await usersWithBlobs(this.#outer.blobs, tenantId))])];
  }

  override async ping(): Promise<void> {
    await Promise.all([this.database.ping(), this.#outer.blobs.identity()]);
  }

  /** Rebuilds the database from the outer store, for all tenants or one. Returns the number of users. */
  rebuild(tenantId?: string): Promise<number> {
    return rebuildAll(this.#outer, tenantId);
  }

  /** Moves notes that are stored under the user of their workspace's name, unless that is done already. */
  async moveWorkspaces(): Promise<void> {
    if (await this.database.workspacesMoved()) return;
    if ((await moveWorkspaces(this.#outer)) === 0) await this.database.setWorkspacesMoved();
  }

  /** Copies the audit records that this node has written and the outer store lacks. */
  copyAudit(): Promise<void> {
    return copyNoted(this.#outer);
  }

  /** Copies the audit records that a process left behind when it died. Returns the number of chains, at most `limit`. */
  async copyLeftAudit(limit: number): Promise<number> {
    const owners = await this.database.uncopiedChains(limit);
    for (const owner of owners) this.#outer.copies.note(owner);
    await this.copyAudit();
    return owners.length;
  }

  /** Resolves when no copy of audit records is running. */
  copied(): Promise<void> {
    return this.#outer.copies.finished();
  }

  async #untilCurrent<T>(owner: ArtifactOwner, attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; tries <= maxTries; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof StaleRows)) throw error;
        await catchUp(this.#outer, owner, error.keys);
      }
    }
    throw new Problem('UNAVAILABLE', 'The artifacts are being changed by others. Try again shortly.', {
      retryAfterSeconds: 1,
    });
  }
}
