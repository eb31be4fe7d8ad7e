import type { Json } from '@memhall/core';

/** Where a memory is kept and with what it is searched. */
export type Partition = { kind: 'user'; userId: string } | { kind: 'public' } | { kind: 'namespace'; name: string };

export interface Memory {
  id: string;
  /** Who wrote it; '' in a namespace that no user writes to in person. */
  userId: string;
  partition: Partition;
  kind: string;
  content: string;
  /** Further text by which it is found; not part of what it says. */
  cue: string | null;
  /** SHA-256 of the content, hexadecimal. */
  contentHash: string;
  externalId: string | null;
  /** Whether the content itself is the key where there is no external id. */
  uniqueContent: boolean;
  tags: string[];
  source: string | null;
  sessionId: string | null;
  planId: string | null;
  agentId: string | null;
  role: string | null;
  isPinned: boolean;
  expiresAt: Date | null;
  /** When what it tells took place; orders a session. */
  occurredAt: Date;
  metadata: { [key: string]: Json };
  propagation: Json | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A memory as recall compares it. */
export interface SearchForm {
  /** Name of the rules by which the words were taken. */
  analysis: string;
  /** See engine/memories/analysis/packed-terms. */
  terms: Uint8Array;
  termCount: number;
  traits: number;
  /** null: not embedded yet. */
  embedding: { model: string; vector: Float32Array } | null;
}

/** Conditions on memories; all that are given must hold. */
export interface MemoryFilter {
  kinds?: readonly string[] | undefined;
  /** At least one of them. */
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  sessionIds?: readonly string[] | undefined;
  planId?: string | undefined;
  agentId?: string | undefined;
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
  /** At least one of these must hold as well. */
  anyOf?: readonly Omit<MemoryFilter, 'anyOf'>[] | undefined;
}

interface ListedMemory {
  memory: Memory;
  /** Order of arrival. */
  seq: bigint;
}

export interface OutdatedMemory extends ListedMemory {
  /** Its vector is of the wanted model, or none is wanted: only its words are outdated. */
  isEmbedded: boolean;
  /** Its words are as they should be: only its vector is outdated. */
  isAnalysed: boolean;
}

/** Memories the transaction may see. What has expired at `now`, or lives in a namespace that has, does not exist. */
export interface Memories {
  /** Waits until no other transaction changes the partition, and keeps others out until this one ends. Users' own partitions need none: their writes take turns already. Queued. */
  lock(partition: Partition): void;
  /** In no particular order; unknown ids are left out. */
  getMany(ids: readonly string[], now: Date): Promise<Memory[]>;
  /** As `getMany`, whether expired or not: for writes, which must not trip over what is still stored. */
  findStored(ids: readonly string[]): Promise<Memory[]>;
  findByExternalId(partition: Partition, kind: string, externalIds: readonly string[]): Promise<Memory[]>;
  /** Only memories whose content is a key, with or without an external id. */
  findByContent(partition: Partition, kind: string, contentHashes: readonly string[]): Promise<Memory[]>;
  /** Newest first, older than `before`. */
  list(
    partitions: readonly Partition[],
    filter: MemoryFilter,
    page: { before: bigint | undefined; limit: number; now: Date },
  ): Promise<ListedMemory[]>;
  /** In the order of arrival, those that came after `after`. */
  arrivedAfter(
    partition: Partition,
    filter: MemoryFilter,
    page: { after: bigint; limit: number; now: Date },
  ): Promise<ListedMemory[]>;
  /** Latest `occurredAt` first, of equals the one that arrived last. */
  recent(
    partition: Partition,
    filter: MemoryFilter & { kind: string; agentId: string },
    page: { limit: number; now: Date },
  ): Promise<Memory[]>;
  /** Queued; keeps the order of the calls. An id that exists fails the transaction. */
  insert(memory: Memory, form: SearchForm): void;
  /** Replaces all but id, owner, partition and order of arrival; without a form, the present one stays. Queued. */
  update(memory: Memory, form: SearchForm | null): void;
  /** Queued; leaves out what is not there. */
  delete(ids: readonly string[]): void;
  /** Memories of one kind in a session. Queued. */
  deleteSession(partition: Partition, sessionId: string, kind: string): void;
  /** Up to `limit` memories of the tenant that expired, the longest ago first. Operators' transactions only. */
  expired(limit: number, now: Date): Promise<Memory[]>;
  /** Memories of the tenant that are not in this form yet, in the order of arrival; `model` null: whatever vector they have. Operators' transactions only. */
  outdated(
    form: { model: string | null; analysis: string },
    page: { after: bigint; limit: number },
  ): Promise<OutdatedMemory[]>;
  /** How many those are, and since when the oldest waits. */
  countOutdated(form: { model: string | null; analysis: string }): Promise<{ count: number; oldest: Date | null }>;
  /** Replaces the form of a memory whose content is still this one; without an embedding, the vector it has stays. Queued. */
  setForm(id: string, contentHash: string, form: SearchForm): void;
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

/** The other way round. */
export function partitionFromKey(key: string): Partition {
  const name = key.slice(2);
  if (key.startsWith('u:')) return { kind: 'user', userId: name };
  return key.startsWith('n:') ? { kind: 'namespace', name } : { kind: 'public' };
}
