import { choice, optionalText, type Setting, text } from '../setting.js';

export const azureSettings = {
  artifacts: choice({
    env: 'MEMHALL_ARTIFACTS',
    choices: ['postgres', 'azure-blob'],
    default: 'postgres',
    description:
      'Where documents, events and snapshots are stored: `postgres` (in the database) or `azure-blob` (Azure Blob Storage is the source of truth, and the database is derived from it).',
  }),
  azureStorageConnectionString: optionalText({
    env: 'MEMHALL_AZURE_STORAGE_CONNECTION_STRING',
    secret: true,
    description:
      'Connection string of the Azure storage account, with an account key or a shared access signature. If MEMHALL_ARTIFACTS is `azure-blob`, this or MEMHALL_AZURE_STORAGE_URL is required.',
  }),
  azureStorageUrl: optionalText({
    env: 'MEMHALL_AZURE_STORAGE_URL',
    description:
      'URL of the blob service of the Azure storage account, such as `https://<account>.blob.core.windows.net`, to use the identity of the process instead of a connection string.',
  }),
  azureContainer: text({
    env: 'MEMHALL_AZURE_CONTAINER',
    default: 'memhall',
    description: 'Azure container of the blobs. Created at start if it is missing.',
  }),
  azureSearchUrl: optionalText({
    env: 'MEMHALL_AZURE_SEARCH_URL',
    description:
      'URL of an Azure AI Search service, such as `https://<service>.search.windows.net`, that finds events by words instead of recall. Uses the identity of the process unless MEMHALL_AZURE_SEARCH_API_KEY is set: see docs/operate/azure.md.',
  }),
  azureSearchIndex: text({
    env: 'MEMHALL_AZURE_SEARCH_INDEX',
    default: 'memhall-events',
    description: 'Index of the Azure AI Search service that holds the events. Created if it is missing.',
  }),
  azureSearchKey: optionalText({
    env: 'MEMHALL_AZURE_SEARCH_API_KEY',
    secret: true,
    description: 'Admin key of the Azure AI Search service, to use it instead of the identity of the process.',
  }),
} satisfies Record<string, Setting<unknown>>;
