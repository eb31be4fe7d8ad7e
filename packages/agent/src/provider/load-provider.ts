import { loadMemorySection } from '../configuration/load-memory-configuration.js';
import { parseProviderConfiguration } from '../configuration/provider-configuration.js';
import { createProvider } from './create-provider.js';
import type { Provider, ProviderOwner } from './provider.js';

export interface LoadedProvider {
  provider: Provider;
  /** What requests to it say. */
  owner: ProviderOwner;
}

/**
 * Makes the provider that `.beaver/config.json` in a directory names. Rejects with a StartUpError when the configuration is
 * wrong. It is read once: another provider needs another start.
 */
export async function loadProvider(directory: string): Promise<LoadedProvider> {
  const configuration = parseProviderConfiguration((await loadMemorySection(directory)) ?? {});
  return { provider: createProvider(configuration, directory), owner: configuration.owner };
}
