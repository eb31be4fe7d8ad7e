import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import type { ArtifactStore } from '../ports/artifact-store.js';
import type { Store } from '../ports/store.js';
import type { AzureBlobAddress } from '../providers/artifact-stores/open-azure-blob.js';

/** null: artifacts live in the database. */
export async function openArtifactStore(config: Config): Promise<ArtifactStore | null> {
  return config.artifacts === 'azure-blob' ? (await loadAzureBlob()).openAzureBlob(blobAddress(config)) : null;
}

/** Looks for the outer store of a configuration, without making anything. */
export async function inspectArtifactStore(config: Config): Promise<{ host: string; exists: boolean }> {
  return (await loadAzureBlob()).inspectAzureBlob(blobAddress(config));
}

/**
 * A database and its outer store belong together from the first start on: with another store, an empty one say, every
 * document would look deleted. Throws StartUpError where they do not belong together.
 */
export async function checkArtifactOrigin(
  config: Config,
  store: Store,
  artifactStore: ArtifactStore | null,
  rebuilds: boolean,
): Promise<void> {
  const origin = await store.artifactOrigin();
  if (artifactStore === null) {
    if (origin === null) return;
    throw new StartUpError(
      'The artifacts of this database are derived from Azure Blob Storage: start with MEMHALL_ARTIFACTS=azure-blob.',
    );
  }
  const identity = await artifactStore.identity();
  if (origin === identity) return;
  if (origin !== null) {
    throw new StartUpError(
      `The artifacts of this database are derived from another container than "${config.azureContainer}": check MEMHALL_AZURE_CONTAINER and MEMHALL_AZURE_STORAGE_CONNECTION_STRING.`,
    );
  }
  if (rebuilds) return;
  for await (const _tenant of artifactStore.tenants()) {
    throw new StartUpError(
      `The container "${config.azureContainer}" holds artifacts that this database does not know: run \`memhall reindex\` first.`,
    );
  }
  await store.setArtifactOrigin(identity);
}

/** Azure's library takes long to load, and most have no use for it. */
function loadAzureBlob() {
  return import('../providers/artifact-stores/open-azure-blob.js');
}

function blobAddress(config: Config): AzureBlobAddress {
  return { connectionString: config.azureStorageConnectionString ?? '', container: config.azureContainer };
}
