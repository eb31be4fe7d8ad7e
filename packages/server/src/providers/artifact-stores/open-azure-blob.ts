import type { ContainerClient } from '@azure/storage-blob';
import { StartUpError } from '@memhall/core';
import { AzureBlobArtifactStore } from './azure-blob-artifact-store.js';
import { isContainerMissing, isRefusal, toStoreError } from './azure-blob-faults.js';

const tryTimeoutMs = 5000;
const callTimeoutMs = 15_000;

export interface AzureBlobAddress {
  /** With an account key or a shared access signature. */
  connectionString: string;
  container: string;
  pageSize?: number;
}

/** Throws StartUpError when the container can neither be used nor made. The SDK is loaded here and not before. */
export async function openAzureBlob({
  connectionString,
  container: name,
  pageSize,
}: AzureBlobAddress): Promise<AzureBlobArtifactStore> {
  const { BlobServiceClient } = await import('@azure/storage-blob');
  let container: ContainerClient;
  try {
    container = BlobServiceClient.fromConnectionString(connectionString, {
      retryOptions: { maxTries: 3, tryTimeoutInMs: tryTimeoutMs, retryDelayInMs: 100, maxRetryDelayInMs: 1000 },
    }).getContainerClient(name);
  } catch (error) {
    throw new StartUpError('MEMHALL_AZURE_STORAGE_CONNECTION_STRING is not a connection string of Azure Storage.', {
      cause: error,
    });
  }
  await makeIfMissing(container, name);
  return new AzureBlobArtifactStore({ container, timeoutMs: callTimeoutMs, pageSize });
}

/** Looks before it makes, and as a reader of blobs: a signature may be good for those and not for containers. */
async function makeIfMissing(container: ContainerClient, name: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(callTimeoutMs);
  try {
    try {
      await container.listBlobsFlat({ abortSignal }).byPage({ maxPageSize: 1 }).next();
    } catch (error) {
      if (!isContainerMissing(error)) throw error;
      await container.createIfNotExists({ abortSignal });
    }
  } catch (error) {
    const { host } = new URL(container.url);
    const cause = toStoreError(error);
    const message = isRefusal(error)
      ? `Azure Blob Storage at ${host} refuses the container "${name}": check MEMHALL_AZURE_STORAGE_CONNECTION_STRING and what its key or signature permits.`
      : `The container "${name}" of Azure Blob Storage at ${host} cannot be used: check MEMHALL_AZURE_STORAGE_CONNECTION_STRING, MEMHALL_AZURE_CONTAINER and the network.`;
    throw new StartUpError(message, { cause });
  }
}
