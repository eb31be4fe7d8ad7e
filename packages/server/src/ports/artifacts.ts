import type { Json } from '@memhall/core';

export type ArtifactKind = 'document' | 'event' | 'snapshot';

export interface ArtifactKey {
  kind: ArtifactKind;
  /** Namespace of a document, conversation of a snapshot, '' for events. */
  folder: string;
  name: string;
}

/** The current state of a user's JSON artifact. */
export interface Artifact extends ArtifactKey {
  /** Number of states it has had, starting at 1. */
  version: number;
  /** Without quotes. Different for every state and never reused. */
  etag: string;
  body: { [key: string]: Json };
  /** Size of the part that counts against a limit, in UTF-16 code units. */
  sizeChars: number;
  /** Tag of this artifact in the outer store; null if it is not there. */
  outerTag: string | null;
  /** Time of the event it describes. Retention is based on it. */
  occurredAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

export type ArtifactSummary = Omit<Artifact, 'body' | 'outerTag'>;

/** The artifacts of the transaction's user. */
export interface Artifacts {
  get(key: ArtifactKey): Promise<Artifact | undefined>;
  /** In no particular order; unknown names are skipped. */
  getMany(kind: ArtifactKind, folder: string, names: readonly string[]): Promise<Artifact[]>;
  /** Ordered by folder and name; `after` is the last entry of the previous page. */
  list(
    kind: ArtifactKind,
    page: { folder?: string | undefined; after?: readonly [folder: string, name: string]; limit: number },
  ): Promise<ArtifactSummary[]>;
  /**
   * Latest `occurredAt` first; ties are ordered by name, descending. `members`: text members that the body must have.
   * `listed`: a member of the body that must be a list containing this text. `to` is exclusive.
   */
  newest(
    kind: ArtifactKind,
    conditions: {
      from?: Date | undefined;
      to?: Date | undefined;
      members?: Readonly<Record<string, string>>;
      listed?: { member: string; text: string } | undefined;
    },
    limit: number,
  ): Promise<Artifact[]>;
  /** Inserts or replaces. Keeps the existing `outerTag`, which only `setOuterTag` changes. Queued. */
  put(artifact: Artifact): void;
  /** Queued; does nothing if it does not exist. */
  delete(key: ArtifactKey): void;
  /** Returns null if the artifact is not in the outer store or does not exist. */
  outerTag(key: ArtifactKey): Promise<string | null>;
  /** Queued; does nothing if it does not exist. */
  setOuterTag(key: ArtifactKey, tag: string | null): void;
  /**
   * Returns the documents in a folder, of all users of the tenant, whose content names this user as the only writer
   * (`writers`). Operator transactions only.
   */
  writtenBy(folder: string, writer: string): Promise<{ userId: string; name: string }[]>;
  /** Returns the users of the tenant that have artifacts of this kind, in order. Operator transactions only. */
  owners(kind: ArtifactKind): Promise<string[]>;
}
