import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import type { ArtifactStore } from '../ports/artifact-store.js';
import type { Store } from '../ports/store.js';
import type { AzureBlobAddress } from '../providers/artifact-stores/open-azure-blob.js';
import { azureCredential } from '../providers/azure/azure-credential.js';

/** Returns null if artifacts are stored in the database. */
export async function openArtifactStore(config: Config): Promise<ArtifactStore | null> {
  return config.artifacts === 'azure-blob' ? (await loadAzureBlob()).openAzureBlob(await blobAddress(config)) : null;
}

/** Checks the configured outer store without creating anything. */
export async function inspectArtifactStore(config: Config): Promise<{ host: string; exists: boolean }> {
  return (await loadAzureBlob()).inspectAzureBlob(await blobAddress(config));
}

/**
 * Throws StartUpError if the database was not derived from the given outer store. The two are bound to each other on
 * first start: with a different store, such as an empty one, every document would appear deleted.
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
      'The artifacts of this database are derived from Azure Blob Storage. Set MEMHALL_ARTIFACTS=azure-blob.',
    );
  }
  const identity = await artifactStore.identity();
  if (origin === identity) return;
  if (origin !== null) {
    throw new StartUpError(
      `The artifacts of this database are derived from a container other than "${config.azureContainer}". Check MEMHALL_AZURE_CONTAINER and the storage account.`,
    );
  }
  if (rebuilds) return;
  for await (const _tenant of artifactStore.tenants()) {
    throw new StartUpError(
      `The container "${config.azureContainer}" holds artifacts that are not in this database. Run \`memhall reindex\` first.`,
    );
  }
  await store.setArtifactOrigin(identity);
}

/** Loaded on demand: the Azure library is slow to load and rarely needed. */
function loadAzureBlob() {
  return import('../providers/artifact-stores/open-azure-blob.js');
}

async function blobAddress(config: Config): Promise<AzureBlobAddress> {
  return { account: await azureAccount(config), container: config.azureContainer };
}

export async function azureAccount(config: Config): Promise<AzureBlobAddress['account']> {
  const { azureStorageUrl: url, azureStorageConnectionString: connectionString = '' } = config;
  return url === undefined ? { connectionString } : { url, credential: await azureCredential() };
}
