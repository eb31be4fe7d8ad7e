import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartUpError } from '@memhall/core';
import { type Provider, type ProviderOwner, providerSpecification } from './provider.js';

/**
 * Loads a module and lets it create a provider for the owner with its export `createProvider(owner)`. This runs the module's code.
 * A relative path is resolved against the working directory. Rejects with a StartUpError if there is no provider.
 */
export async function loadModule(path: string, owner: ProviderOwner): Promise<Provider> {
  const url = path.startsWith('file:') ? path : pathToFileURL(resolve(path)).href;
  const loaded = await import(url).catch((error: unknown) => {
    throw new StartUpError(`The provider ${path} cannot be loaded: ${(error as Error).message}`, { cause: error });
  });
  if (typeof loaded.createProvider !== 'function') {
    throw new StartUpError(
      `The provider ${path} must export a function createProvider(owner) that returns a provider.`,
    );
  }
  const provider = await loaded.createProvider(owner);
  if (!isProvider(provider)) {
    throw new StartUpError(
      `createProvider of ${path} must return a provider with the specification ${providerSpecification} and the methods retain, recall, forget and health.`,
    );
  }
  return provider;
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Partial<Provider>;
  const methods = [given.retain, given.recall, given.forget, given.health];
  return (
    given.specification === providerSpecification &&
    Array.isArray(given.capabilities) &&
    methods.every((method) => typeof method === 'function')
  );
}
