/** A file that a user uploaded, and what came of it. */
export interface Resource {
  resourceId: string;
  appId: string;
  projectId: string;
  fileName: string | null;
  title: string | null;
  description: string | null;
  /** By its content. */
  mediaType: string;
  sizeBytes: number;
  /** SHA-256 of its bytes, hexadecimal; no two resources of a user have the same. */
  contentHash: string;
  status: 'extracted' | 'failed';
  /** Why it failed. */
  reason: string | null;
  /** Memories that it was cut into. */
  chunks: number;
  createdAt: Date;
}

/** What is known of a resource before its file is read. */
export type ResourceDescription = Omit<Resource, 'status' | 'reason' | 'chunks'>;

export interface ResourceFilter {
  appId?: string | undefined;
  projectId?: string | undefined;
}

/** Resources of the transaction's user. The memories that they were cut into are kept with all others. */
export interface Resources {
  get(resourceId: string): Promise<Resource | undefined>;
  findByContent(contentHash: string): Promise<Resource | undefined>;
  /** Newest first; `before` is the last one of the page before. */
  list(
    filter: ResourceFilter,
    page: { before: { at: Date; id: string } | undefined; limit: number },
  ): Promise<Resource[]>;
  /** Queued. An id or content that exists fails the transaction. */
  insert(resource: Resource): void;
  /** Takes over `status`, `reason` and `chunks` of one that is there. Queued. */
  updateReading(resource: Pick<Resource, 'resourceId' | 'status' | 'reason' | 'chunks'>): void;
  /** A piece of the file, by its number from 0, where files live in the database. Resolves when the database has it. */
  addPiece(resourceId: string, number: number, bytes: Buffer): Promise<void>;
  /** undefined: the file has no such piece here. */
  piece(resourceId: string, number: number): Promise<Buffer | undefined>;
  /** The file is elsewhere from now on. Queued. */
  deletePieces(resourceId: string): void;
  /** With the pieces of its file; leaves out what is not there. Queued. */
  delete(resourceId: string): void;
}
