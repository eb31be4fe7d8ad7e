import type { ArtifactOwner, ArtifactStore, StagedFile } from '../ports/artifact-store.js';
import { pieceBytes, type ResourceFiles, type StagedResource } from '../ports/resource-files.js';
import type { Resource } from '../ports/resources.js';
import { descriptionKey, removeResourceBlobs } from './resource-keys.js';
import { toResourceText } from './resource-text.js';

/** Files of resources in the outer store. */
export class OuterFiles implements ResourceFiles {
  readonly leavesRemains = true;
  readonly #blobs: ArtifactStore;
  readonly #staged = new Map<string, { file: StagedFile; isKept: boolean }>();

  constructor(blobs: ArtifactStore) {
    this.#blobs = blobs;
  }

  async stage(
    owner: ArtifactOwner,
    resourceId: string,
    pieces: (sizeBytes: number) => AsyncIterable<Buffer>,
  ): Promise<StagedResource> {
    const id = idOf(owner, resourceId);
    const staged = { file: await this.#blobs.stageFile(owner, resourceId, pieces(pieceBytes)), isKept: false };
    this.#staged.set(id, staged);
    return {
      store: async () => undefined,
      release: async () => {
        this.#staged.delete(id);
        // A COMMIT that failed may have taken effect: the clean-up job looks later.
        if (!staged.isKept) await staged.file.discard();
      },
    };
  }

  remove(owner: ArtifactOwner, resourceId: string): Promise<void> {
    return removeResourceBlobs(this.#blobs, owner, resourceId);
  }

  /** Publishes a staged file: the bytes first, then the description. The last step before COMMIT; may be repeated. */
  async keep(owner: ArtifactOwner, resource: Resource): Promise<void> {
    const { resourceId } = resource;
    const staged = this.#staged.get(idOf(owner, resourceId));
    if (staged === undefined) return;
    staged.isKept = true;
    await staged.file.keep();
    await this.#blobs.put(owner, descriptionKey(resourceId), { text: toResourceText(resource), facts: null });
  }
}

function idOf({ tenantId, userId }: ArtifactOwner, resourceId: string): string {
  return `${tenantId}\n${userId}\n${resourceId}`;
}
