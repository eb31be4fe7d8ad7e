import type { ArtifactKey, ArtifactKind, ArtifactSummary } from './artifacts.js';

/** Whose artifacts: one user's. */
export interface ArtifactOwner {
  tenantId: string;
  /** '': what belongs to the tenant and to no user. */
  userId: string;
}

/**
 * Besides artifacts, a user has audit records, a journal that holds the last change, texts in quarantine, and resources: what
 * is told of each, and its file. A tenant has its registry.
 */
export type StoredKind = ArtifactKind | 'quarantine' | 'audit' | 'journal' | 'registry' | 'resource' | 'file';

export interface StoredKey {
  kind: StoredKind;
  /** Namespace of a document, conversation of a snapshot, '' for anything else. */
  folder: string;
  /** Of a document, a path whose parts are separated by slashes. */
  name: string;
}

/** What is known of an artifact besides its body. */
export type ArtifactFacts = Omit<ArtifactSummary, keyof ArtifactKey>;

export interface StoredContent {
  /** JSON, kept byte for byte. */
  text: string;
  /** null for records, journals and registries, and for what somebody else wrote or changed. */
  facts: ArtifactFacts | null;
}

export interface StoredArtifact extends StoredContent {
  /** The store's own tag: another one after every write, whoever made it. */
  tag: string;
}

export interface StoredName {
  folder: string;
  name: string;
  tag: string;
}

/** A file whose bytes were sent ahead. */
export interface StagedFile {
  /** Makes it be there, whole. Again does no harm. */
  keep(): Promise<void>;
  /** Removes what was sent, kept or not. */
  discard(): Promise<void>;
}

/** What must hold for a write to happen: nothing there, or exactly the state that has this tag. */
export type StoredCondition = 'absent' | { tag: string };

/**
 * A store outside of the database that is the source of truth of artifacts. Knows no transactions: each call takes
 * effect by itself, is durable when it resolves, and is seen by every later call on any node.
 *
 * Calls fail with UNAVAILABLE, after bounded retries, when the service does not answer or its container is gone: then a
 * write may have happened or not. Names that are too long for the service fail with INVALID_REQUEST.
 */
export interface ArtifactStore {
  /** undefined: there is none. 'unchanged': it still has the tag `unless`. */
  get(owner: ArtifactOwner, key: StoredKey): Promise<StoredArtifact | undefined>;
  get(owner: ArtifactOwner, key: StoredKey, unless: string): Promise<StoredArtifact | 'unchanged' | undefined>;
  /** Answers the new tag. ETAG_MISMATCH when the condition does not hold; without one it always replaces. */
  put(owner: ArtifactOwner, key: StoredKey, content: StoredContent, condition?: StoredCondition): Promise<string>;
  /** Leaves out what is not there. ETAG_MISMATCH when it has another tag. Of a file, what is staged goes too. */
  delete(owner: ArtifactOwner, key: StoredKey, condition?: { tag: string }): Promise<void>;
  /**
   * Sends the bytes of a file ahead, piece by piece as they come, up to 4 MiB each. Nobody can open it until it is kept. What a
   * process that ended left behind stays listed until it is deleted; the service may remove it by itself.
   */
  stageFile(owner: ArtifactOwner, name: string, pieces: AsyncIterable<Buffer>): Promise<StagedFile>;
  /**
   * Bytes of a file, in pieces of this size and a last one, each fetched when it is asked for. undefined: there is none. Ends with
   * CONFLICT when it is removed or replaced meanwhile.
   */
  openFile(owner: ArtifactOwner, name: string, pieceBytes: number): Promise<AsyncIterable<Buffer> | undefined>;
  /** By name as the store spells it; of files, also those that are only staged. What is not named as Memhall names things is left out. */
  list(owner: ArtifactOwner, kind: StoredKind): AsyncIterable<StoredName>;
  tenants(): AsyncIterable<string>;
  users(tenantId: string): AsyncIterable<string>;
  /** Id of this store, made at the first call: tells it from any other store. */
  identity(): Promise<string>;
}
