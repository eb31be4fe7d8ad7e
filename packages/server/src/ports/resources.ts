/** An uploaded file and the result of processing it. */
export interface Resource {
  resourceId: string;
  appId: string;
  projectId: string;
  fileName: string | null;
  title: string | null;
  description: string | null;
  /** Detected from its content. */
  mediaType: string;
  sizeBytes: number;
  /** SHA-256 of its bytes, in hexadecimal; unique among the resources of a user. */
  contentHash: string;
  status: 'extracted' | 'failed';
  /** Why it failed. */
  reason: string | null;
  /** Number of memories it was split into. */
  chunks: number;
  createdAt: Date;
}

/** The properties of a resource that are known before its file is read. */
export type ResourceDescription = Omit<Resource, 'status' | 'reason' | 'chunks'>;

export interface ResourceFilter {
  appId?: string | undefined;
  projectId?: string | undefined;
}

/** Resources of the transaction's user. The memories they were split into are stored with all other memories. */
export interface Resources {
  get(resourceId: string): Promise<Resource | undefined>;
  findByContent(contentHash: string): Promise<Resource | undefined>;
  /** Newest first; `before` is the last entry of the previous page. */
  list(
    filter: ResourceFilter,
    page: { before: { at: Date; id: string } | undefined; limit: number },
  ): Promise<Resource[]>;
  /** Queued. An existing id or content hash fails the transaction. */
  insert(resource: Resource): void;
  /** Updates `status`, `reason` and `chunks` of an existing resource. Queued. */
  updateReading(resource: Pick<Resource, 'resourceId' | 'status' | 'reason' | 'chunks'>): void;
  /**
   * Stores a piece of the file, numbered from 0, if files are stored in the database. Resolves when the database has
   * it.
   */
  addPiece(resourceId: string, number: number, bytes: Buffer): Promise<void>;
  /** Returns undefined if the database has no such piece of the file. */
  piece(resourceId: string, number: number): Promise<Buffer | undefined>;
  /** Removes the pieces once the file is stored elsewhere. Queued. */
  deletePieces(resourceId: string): void;
  /** Deletes the pieces of its file as well. Does nothing if it does not exist. Queued. */
  delete(resourceId: string): void;
}
