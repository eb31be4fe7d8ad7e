import { TargetUnreachable } from '../faults.js';
import type { Session } from '../suite.js';
import { loadModule } from './load-module.js';
import { newOwner, ProviderProbe } from './provider-probe.js';
import type { Owner, ProviderModule, ProviderTarget } from './provider-target.js';
import { serverModule } from './server-module.js';

/** Connects to a provider and reads its declared capabilities. The cases check whether the declaration is correct. */
export async function connectToProvider(target: ProviderTarget): Promise<Session<ProviderProbe>> {
  const { name, module, workspaceId, conditions } = await open(target);
  const owner = newOwner(workspaceId);
  const provider = await create(module, owner, name);
  if (typeof provider?.health !== 'function')
    throw new TargetUnreachable(`createProvider of ${name} did not return a provider.`);
  await provider.health().catch((error: unknown) => {
    throw new TargetUnreachable(`${name} does not respond: ${(error as Error).message}`, { cause: error });
  });
  const capabilities = Array.isArray(provider.capabilities) ? provider.capabilities.map(String) : [];
  await module.removeOwner?.(owner);
  return {
    target: name,
    capabilities,
    conditions: [...capabilities, ...conditions, ...(module.plant === undefined ? [] : ['plant'])],
    openProbe(signal) {
      const probe = new ProviderProbe(module, capabilities, workspaceId, signal);
      return { probe, release: () => probe.release() };
    },
    close: async () => {},
  };
}

interface Opened {
  name: string;
  module: ProviderModule;
  /** Absent: each case uses a new workspace. */
  workspaceId?: string;
  conditions: readonly string[];
}

/** The provider of a module serves only its owner; a token may name any agent of its workspace. */
async function open(target: ProviderTarget): Promise<Opened> {
  if ('url' in target) {
    return { name: target.url, module: serverModule(target), workspaceId: target.workspaceId, conditions: [] };
  }
  const { module } = target;
  return typeof module === 'string'
    ? { name: module, module: await loadModule(module), conditions: ['owner_bound'] }
    : { name: 'module', module, conditions: ['owner_bound'] };
}

async function create(module: ProviderModule, owner: Owner, name: string) {
  try {
    return await module.createProvider(owner);
  } catch (error) {
    throw new TargetUnreachable(`createProvider of ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
