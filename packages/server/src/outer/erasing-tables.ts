import type { ArtifactOwner, StoredKey } from '../ports/artifact-store.js';
import type { Counts, Erasure } from '../ports/erasure.js';
import { overrideTables } from '../ports/override-tables.js';
import type { Tables } from '../ports/store.js';
import { eraseBlobs, listBlobs, usersWithBlobs } from './erase-blobs.js';
import type { Outer } from './outer.js';
import { replaceInCopies } from './replace-in-copies.js';
import { removeResourceBlobs } from './resource-keys.js';

/** The tables of an erasing transaction, and a record of what has to be removed from the outer store or copied to it. */
export class ErasingTables {
  readonly tables: Tables;
  /** The chains that have new records. */
  readonly chains: ArtifactOwner[] = [];
  readonly #outer: Outer;
  readonly #owner: ArtifactOwner;
  readonly #artifacts: StoredKey[] = [];
  readonly #resources: string[] = [];
  readonly #replaced = new Map<bigint, string>();

  constructor(outer: Outer, owner: ArtifactOwner, tables: Tables) {
    this.#outer = outer;
    this.#owner = owner;
    this.tables = overrideTables(tables, {
      audit: {
        ...tables.audit,
        append: (records) => {
          this.chains.push(owner);
          tables.audit.append(records);
        },
      },
      receipts: {
        ...tables.receipts,
        record: (record) => {
          this.chains.push({ tenantId: owner.tenantId, userId: '' });
          tables.receipts.record(record);
        },
      },
      resources: {
        ...tables.resources,
        delete: (resourceId) => {
          this.#resources.push(resourceId);
          tables.resources.delete(resourceId);
        },
      },
      retention: {
        ...tables.retention,
        removeArtifacts: async (kind, before, limit) => {
          const removed = await tables.retention.removeArtifacts(kind, before, limit);
          this.#artifacts.push(...removed);
          return removed;
        },
      },
      erasure: this.#erasingBlobs(tables.erasure),
    });
  }

  /** Removes the blobs whose rows are gone. The last step before COMMIT: a blob without a row would bring the row back. */
  async finish(): Promise<void> {
    if (this.#artifacts.length === 0 && this.#resources.length === 0 && this.#replaced.size === 0) return;
    await this.tables.flushed();
    const { blobs } = this.#outer;
    if (this.#replaced.size > 0) await replaceInCopies(blobs, this.#owner, this.#replaced);
    for (const key of this.#artifacts) await blobs.delete(this.#owner, key);
    for (const resourceId of this.#resources) await removeResourceBlobs(blobs, this.#owner, resourceId);
  }

  #erasingBlobs(erasure: Erasure): Erasure {
    const { blobs, journals } = this.#outer;
    const erase = async (counts: Counts) => {
      const removed = { ...counts, blobs: await eraseBlobs(blobs, this.#owner) };
      journals.drop(this.#owner);
      return removed;
    };
    return {
      ...erasure,
      replaceRecords: async (records) => {
        for (const { seq, record } of records) this.#replaced.set(seq, record);
        return erasure.replaceRecords(records);
      },
      removeUser: async () => erase(await erasure.removeUser()),
      removeTenant: async () => erase(await erasure.removeTenant()),
    };
  }
}

/**
 * Adds blobs to what is still there of an erased user or tenant. Blobs have no time: once something new was written, any of
 * them may belong to that, so they are not counted.
 */
export function countingBlobs({ blobs }: Outer, tenantId: string, tables: Tables): Tables {
  const { erasure } = tables;
  return overrideTables(tables, {
    erasure: {
      ...erasure,
      async count(userId, moment) {
        const { before, since } = await erasure.count(userId, moment);
        if (Object.values(since).some((count) => count > 0)) return { before, since };
        // Blobs of the tenant itself are the copy of the receipt.
        const users = userId === null ? await usersWithBlobs(blobs, tenantId) : [userId];
        let remaining = 0;
        for (const owner of users) remaining += (await listBlobs(blobs, { tenantId, userId: owner })).length;
        return { before: { ...before, blobs: remaining }, since };
      },
    },
  });
}
