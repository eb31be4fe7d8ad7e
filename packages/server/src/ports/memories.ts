import type { Json } from '@memhall/core';
import type { MemoryOrigin } from './memory-origin.js';

/** Where a memory is stored, and the set of memories it is searched with. */
export type Partition = { kind: 'user'; userId: string } | { kind: 'public' } | { kind: 'namespace'; name: string };

export interface Memory extends MemoryOrigin {
  id: string;
  /** The owner; '' in a namespace to which no user writes in person. */
  userId: string;
  partition: Partition;
  kind: string;
  content: string;
  /** Additional text by which it is found; not part of its content. */
  cue: string | null;
  /** SHA-256 of the content, in hexadecimal. */
  contentHash: string;
  externalId: string | null;
  /** Whether the content acts as the key if there is no external id. */
  uniqueContent: boolean;
  tags: string[];
  source: string | null;
  sessionId: string | null;
  planId: string | null;
  agentId: string | null;
  role: string | null;
  isPinned: boolean;
  expiresAt: Date | null;
  /** Time of the event it describes; orders the memories of a session. */
  occurredAt: Date;
  metadata: { [key: string]: Json };
  propagation: Json | null;
  /** May be earlier than the time of recording, for imported memories. */
  createdAt: Date;
  updatedAt: Date;
  /** When this store first recorded it. No caller can set it; only a restored archive brings its own. */
  recordedAt: Date;
}

/** The form of a memory that recall compares. */
export interface SearchForm {
  /** Name of the rules by which the words were extracted. */
  analysis: string;
  /** See engine/memories/analysis/packed-terms. */
  terms: Uint8Array;
  termCount: number;
  traits: number;
  /** null if it is not embedded yet. */
  embedding: { model: string; vector: Float32Array } | null;
}

/** Conditions on memories; all given conditions must hold. */
export interface MemoryFilter {
  kinds?: readonly string[] | undefined;
  /** Is of none of these kinds. */
  notKinds?: readonly string[] | undefined;
  /** Has at least one of them. */
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  externalId?: string | undefined;
  sessionIds?: readonly string[] | undefined;
  planId?: string | undefined;
  agentId?: string | undefined;
  /** Has one of them. */
  agentIds?: readonly string[] | undefined;
  author?: string | undefined;
  /** Written by somebody else. */
  notAuthor?: string | undefined;
  /** Its owner. */
  userIds?: readonly string[] | undefined;
  notUserIds?: readonly string[] | undefined;
  role?: string | undefined;
  isPinned?: boolean | undefined;
  /** Contained in the memory's metadata. */
  metadata?: { [key: string]: Json } | undefined;
  occurredFrom?: Date | undefined;
  /** Exclusive. */
  occurredTo?: Date | undefined;
  createdFrom?: Date | undefined;
  /** Exclusive. */
  createdTo?: Date | undefined;
  /** At least one of these filters must match as well. */
  anyOf?: readonly Omit<MemoryFilter, 'anyOf'>[] | undefined;
}

interface ListedMemory {
  memory: Memory;
  /** Order of arrival. */
  seq: bigint;
}

export interface OutdatedMemory extends ListedMemory {
  /** Its vector is of the wanted model, or no model is wanted: only its words are outdated. */
  isEmbedded: boolean;
  /** Its words are up to date: only its vector is outdated. */
  isAnalysed: boolean;
  /** The rules by which its words were analysed. */
  analysis: string;
}

/**
 * Memories that the transaction may see. Memories that have expired at `now`, or that are in an expired namespace, do
 * not exist.
 */
export interface Memories {
  /**
   * Waits until no other transaction changes the partition, and excludes others until this one ends. Not needed for
   * users' own partitions, whose writes are already serialized. Queued.
   */
  lock(partition: Partition): void;
  /** In no particular order; unknown ids are skipped. */
  getMany(ids: readonly string[], now: Date): Promise<Memory[]>;
  /** Like `getMany`, but includes expired memories: a write must not collide with one that is still stored. */
  findStored(ids: readonly string[]): Promise<Memory[]>;
  findByExternalId(partition: Partition, kind: string, externalIds: readonly string[]): Promise<Memory[]>;
  /** Returns the external ids of a kind that start with `prefix`, which must not be empty. */
  externalIdsUnder(partition: Partition, kind: string, prefix: string): Promise<string[]>;
  /** Returns only memories whose content is a key, with or without an external id. */
  findByContent(partition: Partition, kind: string, contentHashes: readonly string[]): Promise<Memory[]>;
  /** Newest first by creation time. Only for partitions of namespaces. */
  newest(partitions: readonly Partition[], filter: MemoryFilter, page: { limit: number; now: Date }): Promise<Memory[]>;
  /** Newest first, older than `before`. */
  list(
    partitions: readonly Partition[],
    filter: MemoryFilter,
    page: { before: bigint | undefined; limit: number; now: Date },
  ): Promise<ListedMemory[]>;
  /** In order of arrival, starting after `after`; all, or only those without a session. */
  arrivedAfter(
    partition: Partition,
    filter: MemoryFilter,
    page: { after: bigint; limit: number; now: Date; withoutSession?: boolean },
  ): Promise<ListedMemory[]>;
  /** Returns those of the memories with these numbers of arrival that match, in the order of the numbers. */
  arrivedAs(
    partition: Partition,
    filter: MemoryFilter,
    page: { seqs: readonly number[]; now: Date },
  ): Promise<Memory[]>;
  /**
   * Returns the sessions that memories belong to, ordered by id, after `after`, each with the numbers of arrival of its memories in
   * ascending order; also those that have expired.
   */
  sessions(
    partition: Partition,
    filter: MemoryFilter,
    page: { after: string; limit: number },
  ): Promise<{ id: string; seqs: number[] }[]>;
  /** Latest `occurredAt` first, starting after `before`; ties are ordered by arrival, latest first. */
  recent(
    partition: Partition,
    filter: MemoryFilter & { kind: string; agentId: string },
    page: { before?: { occurredAt: Date; seq: bigint } | undefined; limit: number; now: Date },
  ): Promise<ListedMemory[]>;
  /** Queued; keeps the order of the calls. An existing id fails the transaction. */
  insert(memory: Memory, form: SearchForm): void;
  /**
   * Replaces everything except id, owner, partition and arrival number; without a form, the existing form stays. What it was
   * until `updatedAt` is kept as a version by default. Queued.
   */
  update(memory: Memory, form: SearchForm | null, options?: { keepsVersion?: boolean }): void;
  /** Queued; ignores unknown ids. */
  delete(ids: readonly string[]): void;
  /** Deletes the memories of a partition that match, and returns their ids. */
  deleteMatching(partition: Partition, filter: MemoryFilter, now: Date): Promise<string[]>;
  /** Deletes the memories of a kind whose external ids start with `prefix`, which must not be empty. Queued. */
  deleteUnder(partition: Partition, kind: string, prefix: string): void;
  /** Deletes the memories of one kind in a session, and returns their ids. */
  deleteSession(partition: Partition, sessionId: string, kind: string): Promise<string[]>;
  /**
   * Returns up to `limit` expired memories of the tenant, those that expired first at the front. Operator transactions
   * only.
   */
  expired(limit: number, now: Date): Promise<Memory[]>;
  /**
   * Returns the tenant's memories that are not in this form yet, in order of arrival; with `model` null, any vector is
   * accepted. Operator transactions only.
   */
  outdated(
    form: { model: string | null; analysis: string },
    page: { after: bigint; limit: number },
  ): Promise<OutdatedMemory[]>;
  /** Returns how many memories the tenant has. Reads an index of all of them. Operator transactions only. */
  countAll(): Promise<number>;
  /** Returns how many there are, and since when the oldest has been waiting. */
  countOutdated(form: { model: string | null; analysis: string }): Promise<{ count: number; oldest: Date | null }>;
  /**
   * Replaces the form of a memory if its content hash still matches; without an embedding, the existing vector stays. `at` is
   * when it has its first vector. Queued.
   */
  setForm(id: string, contentHash: string, form: SearchForm, at: Date): void;
  /**
   * Returns the tenant's memories that were stored without an origin, with the origin that is assumed for them, in order of
   * arrival. Operator transactions only.
   */
  withoutOrigin(page: { after: bigint; limit: number }): Promise<ListedMemory[]>;
  countWithoutOrigin(): Promise<number>;
  /** Stores the origin of a memory that has none. Queued. */
  fillOrigin(id: string, origin: MemoryOrigin, recordedAt: Date): void;
}

export function partitionKey(partition: Partition): string {
  switch (partition.kind) {
    case 'user':
      return `u:${partition.userId}`;
    case 'public':
      return 'p:';
    case 'namespace':
      return `n:${partition.name}`;
  }
}

/** Inverse of `partitionKey`. */
export function partitionFromKey(key: string): Partition {
  const name = key.slice(2);
  if (key.startsWith('u:')) return { kind: 'user', userId: name };
  return key.startsWith('n:') ? { kind: 'namespace', name } : { kind: 'public' };
}
