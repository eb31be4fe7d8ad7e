import { Problem } from '@memhall/core';
import { checkTenant, type Host, type HostCaller, writableNamespace } from './host.js';

/**
 * Removes a memory for good. One that lives in another namespace is as if it were not there: its id alone must not tell that
 * it exists. Throws NOT_FOUND, FORBIDDEN.
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
