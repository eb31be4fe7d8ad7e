import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TargetUnreachable, WrongUse } from '../faults.js';
import type { ProviderModule } from './provider-target.js';

export async function loadModule(path: string): Promise<ProviderModule> {
  const loaded = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new TargetUnreachable(`${path} cannot be loaded: ${(error as Error).message}`, { cause: error });
  });
  if (typeof loaded.createProvider !== 'function') {
    throw new WrongUse(`${path} must export a function createProvider(owner) that returns a provider.`);
  }
  return loaded as ProviderModule;
}
