import type { ArtifactKey, ArtifactKind, ArtifactSummary } from './artifacts.js';

/** The user that owns the artifacts. */
export interface ArtifactOwner {
  tenantId: string;
  /** '' for artifacts that belong to the tenant and to no user. */
  userId: string;
}

/**
 * In addition to artifacts, a user has audit records, a journal that holds the last change, quarantined texts, and
 * resources: their metadata (`resource`) and their content (`file`). A tenant has its registry.
 */
export type StoredKind = ArtifactKind | 'quarantine' | 'audit' | 'journal' | 'registry' | 'resource' | 'file';

export interface StoredKey {
  kind: StoredKind;
  /** Namespace of a document, conversation of a snapshot, '' for anything else. */
  folder: string;
  /** For a document, a path whose parts are separated by slashes. */
  name: string;
}

/** Everything known about an artifact except its body. */
export type ArtifactFacts = Omit<ArtifactSummary, keyof ArtifactKey>;

export interface StoredContent {
  /** JSON, stored byte for byte. */
  text: string;
  /** null for records, journals and registries, and for artifacts that another program wrote or changed. */
  facts: ArtifactFacts | null;
}

export interface StoredArtifact extends StoredContent {
  /** The store's own tag. It changes with every write, no matter who wrote. */
  tag: string;
}

export interface StoredName {
  folder: string;
  name: string;
  tag: string;
}

/** A file whose bytes were uploaded but not yet published. */
export interface StagedFile {
  /** Publishes the whole file. Idempotent. */
  keep(): Promise<void>;
  /** Removes the uploaded bytes, published or not. */
  discard(): Promise<void>;
}

/** Precondition of a write: nothing exists under the key, or exactly the state with this tag. */
export type StoredCondition = 'absent' | { tag: string };

/**
 * A store outside the database that is the source of truth for artifacts. It has no transactions: each call takes
 * effect on its own, is durable when it resolves, and is visible to every later call on any node.
 *
 * Calls fail with UNAVAILABLE, after bounded retries, if the service does not respond or its container is missing; a
 * write may then have happened or not. Names that are too long for the service fail with INVALID_REQUEST.
 */
export interface ArtifactStore {
  /** Returns undefined if the artifact does not exist, and 'unchanged' if it still has the tag `unless`. */
  get(owner: ArtifactOwner, key: StoredKey): Promise<StoredArtifact | undefined>;
  get(owner: ArtifactOwner, key: StoredKey, unless: string): Promise<StoredArtifact | 'unchanged' | undefined>;
  /**
   * Returns the new tag. Fails with ETAG_MISMATCH if the condition does not hold; without a condition it always
   * replaces.
   */
  put(owner: ArtifactOwner, key: StoredKey, content: StoredContent, condition?: StoredCondition): Promise<string>;
  /**
   * Does nothing if the artifact does not exist. Fails with ETAG_MISMATCH if it has another tag. For a file, staged
   * bytes are removed too.
   */
  delete(owner: ArtifactOwner, key: StoredKey, condition?: { tag: string }): Promise<void>;
  /**
   * Uploads the bytes of a file piece by piece as they arrive, up to 4 MiB each. The file cannot be opened until it is
   * kept. Staged bytes of a process that ended stay listed until they are deleted; the service may remove them
   * automatically.
   */
  stageFile(owner: ArtifactOwner, name: string, pieces: AsyncIterable<Buffer>): Promise<StagedFile>;
  /**
   * Returns the bytes of a file in pieces of this size plus a shorter last one, each fetched on demand; undefined if
   * the file does not exist. The iteration fails with CONFLICT if the file is removed or replaced while it is read.
   */
  openFile(owner: ArtifactOwner, name: string, pieceBytes: number): Promise<AsyncIterable<Buffer> | undefined>;
  /**
   * In the order of the names as the store spells them. Includes files that are only staged. Skips objects whose names
   * Memhall did not create.
   */
  list(owner: ArtifactOwner, kind: StoredKind): AsyncIterable<StoredName>;
  tenants(): AsyncIterable<string>;
  users(tenantId: string): AsyncIterable<string>;
  /** Returns the id of this store, created by the first call. It distinguishes this store from any other. */
  identity(): Promise<string>;
}
