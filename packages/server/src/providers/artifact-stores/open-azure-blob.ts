import type { TokenCredential } from '@azure/identity';
import type { ContainerClient } from '@azure/storage-blob';
import { loadOptional, StartUpError } from '@memhall/core';
import { AzureBlobArtifactStore } from './azure-blob-artifact-store.js';
import { isContainerMissing, isRefusal, toStoreError } from './azure-blob-faults.js';
import { AzureBlobWitness } from './azure-blob-witness.js';

const tryTimeoutMs = 5000;
const callTimeoutMs = 15_000;

export interface AzureBlobAddress {
  /** A connection string with an account key or a shared access signature, or the service's URL and an identity. */
  account: { connectionString: string } | { url: string; credential: TokenCredential };
  container: string;
  pageSize?: number;
}

/** Throws StartUpError if the container can neither be used nor created. The SDK is loaded only here. */
export async function openAzureBlob(address: AzureBlobAddress): Promise<AzureBlobArtifactStore> {
  const container = await connect(address);
  await orStartUpError(container, async (abortSignal) => {
    if (!(await exists(container, abortSignal))) await container.createIfNotExists({ abortSignal });
  });
  return new AzureBlobArtifactStore({ container, timeoutMs: callTimeoutMs, pageSize: address.pageSize });
}

/** Contacts nothing yet. */
export async function openAzureWitness(address: AzureBlobAddress): Promise<AzureBlobWitness> {
  return new AzureBlobWitness(await connect(address));
}

/** Returns whether the container exists; creates nothing. Throws StartUpError if it cannot be used. */
export async function inspectAzureBlob(address: AzureBlobAddress): Promise<{ host: string; exists: boolean }> {
  const container = await connect(address);
  const found = await orStartUpError(container, (abortSignal) => exists(container, abortSignal));
  return { host: new URL(container.url).host, exists: found };
}

async function connect({ account, container }: AzureBlobAddress): Promise<ContainerClient> {
  const packages = ['@azure/storage-blob'];
  const { BlobServiceClient } = await loadOptional('Azure Storage', packages, () => import('@azure/storage-blob'));
  const options = {
    retryOptions: { maxTries: 3, tryTimeoutInMs: tryTimeoutMs, retryDelayInMs: 100, maxRetryDelayInMs: 1000 },
  };
  if ('url' in account)
    return new BlobServiceClient(account.url, account.credential, options).getContainerClient(container);
  try {
    return BlobServiceClient.fromConnectionString(account.connectionString, options).getContainerClient(container);
  } catch (error) {
    throw new StartUpError('MEMHALL_AZURE_STORAGE_CONNECTION_STRING is not an Azure Storage connection string.', {
      cause: error,
    });
  }
}

/** Lists blobs, because a shared access signature may allow that but not access to the container itself. */
async function exists(container: ContainerClient, abortSignal: AbortSignal): Promise<boolean> {
  try {
    await container.listBlobsFlat({ abortSignal }).byPage({ maxPageSize: 1 }).next();
    return true;
  } catch (error) {
    if (isContainerMissing(error)) return false;
    throw error;
  }
}

async function orStartUpError<T>(
  container: ContainerClient,
  work: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(AbortSignal.timeout(callTimeoutMs));
  } catch (error) {
    const { host } = new URL(container.url);
    const message = isRefusal(error)
      ? `Azure Blob Storage at ${host} denies access to the container "${container.containerName}": check MEMHALL_AZURE_STORAGE_CONNECTION_STRING and the permissions of its key or signature, or those of the identity of this process.`
      : `The container "${container.containerName}" of Azure Blob Storage at ${host} cannot be used: check MEMHALL_AZURE_STORAGE_CONNECTION_STRING or MEMHALL_AZURE_STORAGE_URL, MEMHALL_AZURE_CONTAINER and the network.`;
    throw new StartUpError(message, { cause: toStoreError(error) });
  }
}
