import { Problem } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import { onTheRecord } from '../caller.js';
import { forgetAny } from '../one-memory/change-any.js';
import { getAny } from '../one-memory/find-any.js';
import { isOrgNamespace } from '../one-memory/namespace-grants.js';
import { checkTenant, type Host, type HostCaller, usesOutsidePlugin, writableNamespace } from './host.js';
import { fromMarkedId } from './plugin-memory-id.js';

interface Forgotten {
  /** null if the memory was in no namespace. */
  namespace: string | null;
}

/**
 * Removes a memory permanently, wherever it was written, and the copies of its statement that the caller may delete. If a namespace is
 * given, a memory elsewhere is reported as missing: an id must not reveal that it exists. Throws NOT_FOUND, FORBIDDEN or
 * OWNED_BY_RECORD.
 */
export async function forgetMemory(
  host: Host,
  caller: HostCaller,
  { id, namespace }: { id: string; namespace?: string | undefined },
): Promise<Forgotten> {
  const ofPlugin = fromMarkedId(id);
  if (ofPlugin !== undefined) return forgetInPlugin(host, caller, ofPlugin, namespace);
  if (namespace !== undefined) writableNamespace(caller, namespace);
  try {
    return await forgetInEngine(host, caller, id.toLowerCase(), namespace);
  } catch (error) {
    const isMissing = error instanceof Problem && error.code === 'NOT_FOUND';
    if (!isMissing || !usesOutsidePlugin(host, caller)) throw error;
    return forgetInPlugin(host, caller, id, namespace);
  }
}

async function forgetInEngine(
  { engine }: Host,
  caller: HostCaller,
  id: string,
  namespace: string | undefined,
): Promise<Forgotten> {
  const { partition } = await getAny(engine, caller, id);
  const place = partition.kind === 'namespace' ? partition.name : null;
  if (namespace !== undefined && namespace !== place) throw missingIn(namespace);
  await forgetAny(engine, caller, id, { precondition: { kind: 'none' }, copies: true });
  return { namespace: place };
}

async function forgetInPlugin(
  host: Host,
  caller: HostCaller,
  id: string,
  namespace: string | undefined,
): Promise<Forgotten> {
  checkTenant(host, caller);
  const { name } = writableNamespace(caller, namespace);
  if (!usesOutsidePlugin(host, caller)) throw missingIn(name);
  await recordOrgForget(host, caller, id, name);
  try {
    await host.plugin.forget(caller, id, name);
  } catch (error) {
    if (!(error instanceof Problem && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND'))) throw error;
    throw missingIn(name);
  }
  return { namespace: name };
}

function missingIn(namespace: string): Problem {
  return new Problem('NOT_FOUND', `There is no memory with this id in ${namespace}.`);
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
  await mutate(engine, onTheRecord(caller), async () => ({
    result: undefined,
    mutations: [{ ...mutation, details: { namespace } }],
  }));
}
