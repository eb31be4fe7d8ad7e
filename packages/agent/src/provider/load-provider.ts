import { loadMemorySection } from '../configuration/load-memory-configuration.js';
import { parseProviderConfiguration } from '../configuration/provider-configuration.js';
import { createProvider } from './create-provider.js';
import type { Provider, ProviderOwner } from './provider.js';

export interface LoadedProvider {
  provider: Provider;
  /** The owner to use in requests. */
  owner: ProviderOwner;
}

/**
 * Creates the provider configured in `.beaver/config.json` of a directory. Rejects with a StartUpError if the
 * configuration is invalid. The configuration is read once; changing the provider requires a restart.
 */
export async function loadProvider(directory: string): Promise<LoadedProvider> {
  const configuration = parseProviderConfiguration((await loadMemorySection(directory)) ?? {});
  return { provider: createProvider(configuration, directory), owner: configuration.owner };
}
