import { Problem } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import { isOrgNamespace } from '../one-memory/namespace-grants.js';
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
  await recordOrgForget(host, caller, id, name);
  try {
    await host.plugin.forget(caller, id, name);
  } catch (error) {
    if (!(error instanceof Problem && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND'))) throw error;
    throw new Problem('NOT_FOUND', `There is no memory with this id in ${name}.`);
  }
  return { id, namespace: name };
}

/**
 * A deletion that the whole organisation will notice, in a plugin without its own audit, is recorded in the audit log
 * beforehand: a record of a failed deletion is better than a deletion without a record. The host does not know the kind of
 * the memory.
 */
async function recordOrgForget(
  { engine, plugin }: Host,
  caller: HostCaller,
  id: string,
  namespace: string,
): Promise<void> {
  if (!isOrgNamespace(namespace) || plugin.keepsAudit) return;
  const mutation = { target: `memory/${id.toLowerCase()}`, preEtag: null, postEtag: null, contentHash: null };
  await mutate(engine, caller, async () => ({
    result: undefined,
    mutations: [{ ...mutation, details: { namespace } }],
  }));
}
