import type { Json } from '@memhall/core';

export type ArtifactKind = 'document' | 'event' | 'snapshot';

export interface ArtifactKey {
  kind: ArtifactKind;
  /** Namespace of a document, conversation of a snapshot, '' for events. */
  folder: string;
  name: string;
}

/** A JSON artifact of one user, as it is now. */
export interface Artifact extends ArtifactKey {
  /** Counts the states it has had, from 1. */
  version: number;
  /** Without quotes. Another one for every state, never repeated. */
  etag: string;
  body: { [key: string]: Json };
  /** Of what counts against a limit, in UTF-16 code units. */
  sizeChars: number;
  /** Tag of the same artifact in the outer store; null where there is none. */
  outerTag: string | null;
  /** When what it tells took place: what retention goes by. */
  occurredAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

export type ArtifactSummary = Omit<Artifact, 'body' | 'outerTag'>;

/** The artifacts of the transaction's user. */
export interface Artifacts {
  get(key: ArtifactKey): Promise<Artifact | undefined>;
  /** In no particular order; unknown names are left out. */
  getMany(kind: ArtifactKind, folder: string, names: readonly string[]): Promise<Artifact[]>;
  /** By folder and name; `after` is the last one of the page before. */
  list(
    kind: ArtifactKind,
    page: { folder?: string | undefined; after?: readonly [folder: string, name: string]; limit: number },
  ): Promise<ArtifactSummary[]>;
  /**
   * Latest `occurredAt` first, of equals the one with the later name. `members`: text members that the body must have;
   * `listed`: a member of the body that must be a list with this text in it. `to` is exclusive.
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
  /** Replaces what is there, but for its `outerTag`, which `setOuterTag` alone changes. Queued. */
  put(artifact: Artifact): void;
  /** Queued; leaves out what is not there. */
  delete(key: ArtifactKey): void;
  /** null: it is not in the outer store, or not there at all. */
  outerTag(key: ArtifactKey): Promise<string | null>;
  /** Queued; leaves out what is not there. */
  setOuterTag(key: ArtifactKey, tag: string | null): void;
  /** Documents in a folder whose content says that this one alone wrote it (`writers`), of all users of the tenant. Operators' transactions only. */
  writtenBy(folder: string, writer: string): Promise<{ userId: string; name: string }[]>;
  /** Users of the tenant that have artifacts of a kind, in order. Operators' transactions only. */
  owners(kind: ArtifactKind): Promise<string[]>;
}
