import { Problem } from '@memhall/core';
import { checkTenant, type Host, type HostCaller, writableNamespace } from './host.js';

/**
 * Removes a memory permanently. A memory in another namespace is reported as missing: an id must not reveal that it
 * exists. Throws NOT_FOUND or FORBIDDEN.
 */
export async function forgetMemory(
  host: Host,
  caller: HostCaller,
  { id, namespace }: { id: string; namespace?: string | undefined },
): Promise<{ id: string; namespace: string }> {
  checkTenant(host, caller);
  const { name } = writableNamespace(caller, namespace);
  try {
    await host.plugin.forget(caller, id, name);
  } catch (error) {
    if (!(error instanceof Problem && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND'))) throw error;
    throw new Problem('NOT_FOUND', `There is no memory with this id in ${name}.`);
  }
  return { id, namespace: name };
}
