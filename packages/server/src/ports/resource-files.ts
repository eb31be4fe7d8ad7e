import type { ArtifactOwner } from './artifact-store.js';
import type { Tables } from './store.js';

/** Size of every piece of a file but the last. */
export const pieceBytes = 1024 * 1024;

/** A file on its way to where files are stored. */
export interface StagedResource {
  /** Stores the rows of the file, if it has any. Call it in the transaction that inserts the resource. */
  store(tables: Tables): Promise<void>;
  /** Call it when the transaction has ended, either way. Removes the bytes unless the transaction may have stored the resource. */
  release(): Promise<void>;
}

/** Where the bytes of resources go: into the database, or into the outer store. */
export interface ResourceFiles {
  /** True if staged bytes outlive a process that dies before the resource is stored: each upload then needs a clean-up job. */
  readonly leavesRemains: boolean;
  /** Sends the bytes ahead of the transaction that inserts the resource. Nobody can open the file before that has committed. */
  stage(
    owner: ArtifactOwner,
    resourceId: string,
    pieces: (sizeBytes: number) => AsyncIterable<Buffer>,
  ): Promise<StagedResource>;
  /** Removes what an upload left behind that never became a resource. Does nothing if there is nothing. */
  remove(owner: ArtifactOwner, resourceId: string): Promise<void>;
}
