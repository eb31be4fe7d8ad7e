import type { Artifact } from './artifacts.js';
import type { DocumentPlace } from './document-checkpoints.js';
import type { SurfaceName } from './memory-origin.js';

/** Names a source: who wrote, by which way, where, from which file, and when. All given conditions must hold. */
export interface SourceFilter {
  author?: string | undefined;
  surface?: SurfaceName | undefined;
  namespace?: string | undefined;
  resourceId?: string | undefined;
  /** When it was recorded. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Whose memories a source wrote: those of a user, or of a namespace that a user wrote to ('' for nobody). */
export interface SourceOwner {
  userId: string;
  namespace: string | null;
}

/** A memory of the source, with what is needed to remove it. */
export interface SourceMemory {
  id: string;
  kind: string;
  externalId: string | null;
  namespace: string | null;
}

/** What a revert did to a document. */
export interface RevertedDocument extends DocumentPlace {
  /** The version that it added; null if every patch became unresolved. */
  version: number | null;
  /** Ids of the unresolved patches it left. */
  unresolved: string[];
}

/** Changes of facts that a revert made: numbers after the first, up to the last. */
export interface FactChanges {
  after: number;
  upTo: number;
}

export interface SourceRevert {
  revertId: string;
  at: Date;
  users: number;
  memories: number;
  facts: number;
}

/** What a source wrote, and what is kept of it after it was taken back. */
export interface SourceReverts {
  /** Returns owners of memories of the source, except pieces of documents and notes. Operator transactions only. */
  owners(filter: SourceFilter): Promise<SourceOwner[]>;
  /** Returns the ids of all these memories. Operator transactions only. */
  memoryIds(filter: SourceFilter): Promise<string[]>;
  /** Returns users with facts that cite these memories, or that the source changed. Operator transactions only. */
  factUsers(filter: SourceFilter, memoryIds: readonly string[]): Promise<string[]>;
  /** Returns documents that the author may have changed; the surface is not compared. Operator transactions only. */
  documents(filter: SourceFilter): Promise<({ userId: string } & DocumentPlace)[]>;
  /** Returns the source's memories that the transaction may write, except pieces of documents and notes. */
  memories(filter: SourceFilter): Promise<SourceMemory[]>;
  /** Returns changes of facts of the transaction's user that the author made, from the audit log. The surface is not compared. */
  factChanges(filter: SourceFilter): Promise<{ factId: string; seq: number; operation: string }[]>;
  /** Returns the facts whose place these facts take. */
  endedBy(factIds: readonly string[]): Promise<{ id: string; by: string }[]>;
  /** Copies memories. Queued. */
  keepMemories(revertId: string, ids: readonly string[], at: Date): void;
  /** Copies facts with their states, evidence, and the states they caused for others. Queued. */
  keepFacts(revertId: string, ids: readonly string[], at: Date): void;
  /** Queued. */
  keepEvent(revertId: string, event: Artifact<'event'>, at: Date): void;
  /** Queued. */
  keepDocument(revertId: string, document: RevertedDocument, at: Date): void;
  /** Queued. */
  keepFactChanges(revertId: string, changes: FactChanges, at: Date): void;
  /** Adds what was kept of memories and facts, except what exists again. Returns how many of each, and the ids of all kept facts. */
  restore(revertId: string): Promise<{ memories: number; facts: number; factIds: string[] }>;
  events(revertId: string): Promise<Artifact<'event'>[]>;
  keptDocuments(revertId: string): Promise<RevertedDocument[]>;
  /** Removes the states of the changes of facts that a revert made. Queued. */
  dropFactChanges(revertId: string): Promise<void>;
  /** Forgets what was kept for the transaction's user. Queued. */
  forget(revertId: string): void;
  /** Returns owners of what is kept. Operator transactions only. */
  keptOwners(revertId: string): Promise<SourceOwner[]>;
  /** Newest first, continues after a revert. Operator transactions only. */
  list(page: { after: { at: Date; revertId: string } | undefined; limit: number }): Promise<SourceRevert[]>;
  /** Purges what was kept of the transaction's user before a time. Returns how many rows. For erasing transactions. */
  purge(before: Date, limit: number): Promise<number>;
}
