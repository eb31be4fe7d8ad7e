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
  /** Counts the states it has had, from 1. */
  version: number;
  /** Without quotes. Another one for every state, never repeated. */
  etag: string;
  /** Of what counts against a limit, in UTF-16 code units. */
  sizeChars: number;
  /** When what it tells took place: what retention goes by. */
  occurredAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

interface ArtifactOf<Kind extends ArtifactKind> extends ArtifactSummary<Kind> {
  body: ArtifactBodies[Kind];
  /** Tag of the same artifact in the outer store; null where there is none. */
  outerTag: string | null;
}

/** A JSON artifact of one user, as it is now. Its kind decides the type of its body. */
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
  /** A member of the body that must be a list with this text in it. */
  listed?: { member: string; text: string } | undefined;
}

/** The artifacts of the transaction's user. */
export interface Artifacts {
  get<Kind extends ArtifactKind>(key: ArtifactKey<Kind>): Promise<Artifact<Kind> | undefined>;
  /** In no particular order; unknown names are left out. */
  getMany<Kind extends ArtifactKind>(kind: Kind, folder: string, names: readonly string[]): Promise<Artifact<Kind>[]>;
  /** By folder and name; `after` is the last one of the page before. */
  list(
    kind: ArtifactKind,
    page: { folder?: string | undefined; after?: readonly [folder: string, name: string]; limit: number },
  ): Promise<ArtifactSummary[]>;
  /** Latest `occurredAt` first, of equals the one with the later name. */
  newest<Kind extends ArtifactKind>(kind: Kind, conditions: NewestConditions, limit: number): Promise<Artifact<Kind>[]>;
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
