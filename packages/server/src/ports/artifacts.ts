import type { DocumentBody, EventRecord, SnapshotBody } from './artifact-bodies.js';

interface ArtifactBodies {
  document: DocumentBody;
  event: EventRecord;
  snapshot: SnapshotBody;
}

export type ArtifactKind = keyof ArtifactBodies;

export interface ArtifactKey<Kind extends ArtifactKind = ArtifactKind> {
  kind: Kind;
  /** Namespace of a document, conversation of a snapshot, '' for events. */
  folder: string;
  name: string;
}

export interface ArtifactSummary<Kind extends ArtifactKind = ArtifactKind> extends ArtifactKey<Kind> {
  /** Number of states it has had, starting at 1. */
  version: number;
  /** Without quotes. Different for every state and never reused. */
  etag: string;
  /** Size of the part that counts against a limit, in UTF-16 code units. */
  sizeChars: number;
  /** Time of the event it describes. Retention is based on it. */
  occurredAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

interface ArtifactOf<Kind extends ArtifactKind> extends ArtifactSummary<Kind> {
  body: ArtifactBodies[Kind];
  /** Tag of this artifact in the outer store; null if it is not there. */
  outerTag: string | null;
  /** Of a document that was read: whether everything derived from it is made from this state; see `setFollowed`. */
  isFollowed?: boolean;
}

/** The current state of a user's JSON artifact. Its kind determines the type of its body. */
export type Artifact<Kind extends ArtifactKind = ArtifactKind> = { [K in Kind]: ArtifactOf<K> }[Kind];

/** Assembles an artifact from its parts. The body is trusted to be what was stored under this kind. */
export function assembleArtifact<Kind extends ArtifactKind>(
  summary: ArtifactSummary<Kind>,
  body: unknown,
  outerTag: string | null,
): Artifact<Kind> {
  return { ...summary, body, outerTag } as Artifact<Kind>;
}

/** All that are given must hold. */
export interface NewestConditions {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  /** Text members that the body must have. */
  members?: Readonly<Record<string, string>>;
  /** A member of the body that must be a list containing this text. */
  listed?: { member: string; text: string } | undefined;
  /** A text member that the body's `evidence` must have. */
  evidence?: { member: string; text: string } | undefined;
}

/** A document that was stored without what is derived from it. */
export interface UnfollowedDocument {
  userId: string;
  folder: string;
  name: string;
  etag: string;
}

/** The artifacts of the transaction's user. */
export interface Artifacts {
  get<Kind extends ArtifactKind>(key: ArtifactKey<Kind>): Promise<Artifact<Kind> | undefined>;
  /** In no particular order; unknown names are skipped. */
  getMany<Kind extends ArtifactKind>(kind: Kind, folder: string, names: readonly string[]): Promise<Artifact<Kind>[]>;
  /** Ordered by folder and name; `after` is the last entry of the previous page. */
  list(
    kind: ArtifactKind,
    page: { folder?: string | undefined; after?: readonly [folder: string, name: string]; limit: number },
  ): Promise<ArtifactSummary[]>;
  /**
   * Returns the names of documents that begin with a prefix, in order, with the size of the text in each: that of its `lines`, joined by
   * line feeds, in bytes of UTF-8.
   */
  textSizes(folder: string, page: { prefix: string; limit: number }): Promise<{ name: string; sizeBytes: number }[]>;
  /** Latest `occurredAt` first; ties are ordered by name, descending. */
  newest<Kind extends ArtifactKind>(kind: Kind, conditions: NewestConditions, limit: number): Promise<Artifact<Kind>[]>;
  /**
   * Inserts or replaces. Keeps the existing `outerTag`, which only `setOuterTag` changes. `isFollowed` says that everything
   * derived from a document is brought up to date in the same transaction. Queued.
   */
  put(artifact: Artifact, options?: { isFollowed?: boolean }): void;
  /** Queued; does nothing if it does not exist. */
  delete(key: ArtifactKey): void;
  /** Returns null if the artifact is not in the outer store or does not exist. */
  outerTag(key: ArtifactKey): Promise<string | null>;
  /** Queued; does nothing if it does not exist. */
  setOuterTag(key: ArtifactKey, tag: string | null): void;
  /** Returns the users of the tenant that have artifacts of this kind, in order. Operator transactions only. */
  owners(kind: ArtifactKind): Promise<string[]>;
  /** Notes that everything derived from this state of a document is up to date. Ignored if the state has changed. Queued. */
  setFollowed(key: ArtifactKey<'document'>, etag: string): void;
  /**
   * Returns the tenant's documents whose state is not marked as followed, except texts of tiers, in order of user and place.
   * Operator transactions only.
   */
  unfollowed(page: { after: UnfollowedDocument | undefined; limit: number }): Promise<UnfollowedDocument[]>;
  /** Returns their number. Operator transactions only. */
  countUnfollowed(): Promise<number>;
  /** Removes the mark of the tenant's documents in these folders, or of all. Operator transactions only. Queued. */
  unfollow(folders?: readonly string[]): void;
}
