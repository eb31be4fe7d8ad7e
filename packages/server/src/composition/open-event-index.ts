import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import { type EventIndex, EventIndexError } from '../ports/event-index.js';
import { azureCredential } from '../providers/azure/azure-credential.js';
import { AzureSearchIndex } from '../providers/azure/azure-search-index.js';

/** Returns null if events are found by recall alone. */
export async function openEventIndex(config: Config): Promise<EventIndex | null> {
  const { azureSearchUrl: serviceUrl, azureSearchIndex: indexName, azureSearchKey: apiKey } = config;
  if (serviceUrl === undefined) return null;
  const access = apiKey === undefined ? { credential: await azureCredential() } : { apiKey };
  return new AzureSearchIndex({ serviceUrl, indexName, access });
}

/**
 * Returns whether the index exists. Throws StartUpError if it cannot be used as configured, and EventIndexError if the service
 * does not respond.
 */
export async function checkEventIndex(index: EventIndex): Promise<boolean> {
  try {
    return await index.exists();
  } catch (error) {
    if (!(error instanceof EventIndexError) || error.retryable) throw error;
    const advice =
      error.code === 'misfit'
        ? 'Choose another name with MEMHALL_AZURE_SEARCH_INDEX.'
        : 'The identity of this process needs the roles Search Service Contributor and Search Index Data Contributor, or MEMHALL_AZURE_SEARCH_API_KEY must be an admin key.';
    throw new StartUpError(`${error.message}. ${advice}`, { cause: error });
  }
}
