import { loadMemorySection } from '../configuration/load-memory-configuration.js';
import {
  isModulePath,
  parseProviderConfiguration,
  parseProviderOwner,
} from '../configuration/provider-configuration.js';
import type { FileTrust } from '../configuration/refuse-redirects.js';
import { createProvider } from './create-provider.js';
import { loadModule } from './load-module.js';
import type { Provider, ProviderOwner } from './provider.js';

export interface ProviderChoice {
  /**
   * `local`, `http` or `plugin`, or the path of a module that exports `createProvider(owner)`, relative to the working directory.
   * Replaces `memory.provider`. A module runs code, so only a program or its user can name one, never the file.
   */
  provider?: string | undefined;
  /** The section `memory`, instead of the one in the file. It may name a module, any host and any directory. */
  memory?: unknown;
}

export interface LoadProviderOptions extends ProviderChoice, FileTrust {}

export interface LoadedProvider {
  provider: Provider;
  /** The owner to use in requests. */
  owner: ProviderOwner;
}

/**
 * Creates the provider configured in `.beaver/config.json` of a directory. Rejects with a StartUpError if the
 * configuration is invalid, or would lead memory to a host that nobody allowed. The configuration is read once; changing the
 * provider requires a restart.
 */
export async function loadProvider(directory: string, options: LoadProviderOptions = {}): Promise<LoadedProvider> {
  const section = options.memory ?? (await loadMemorySection(directory, options)) ?? {};
  return chooseProvider(section, directory, options);
}

/** Creates the provider of a section that was loaded, or given in code. */
export async function chooseProvider(
  section: unknown,
  directory: string,
  { provider, memory }: ProviderChoice,
): Promise<LoadedProvider> {
  const named = provider ?? (memory === undefined ? undefined : providerOf(memory));
  if (isModulePath(named)) {
    const owner = parseProviderOwner(section);
    return { provider: await loadModule(named, owner), owner };
  }
  const chosen = provider === undefined ? section : { ...(section as object), provider };
  const configuration = parseProviderConfiguration(chosen);
  return { provider: createProvider(configuration, directory), owner: configuration.owner };
}

/** Returns `memory.provider`, whatever it is. */
export function providerOf(section: unknown): unknown {
  return typeof section === 'object' && section !== null && 'provider' in section ? section.provider : undefined;
}
