import { addFound, type Json, type OptionalLabel, Problem, redactJson, uuidv7 } from '@memhall/core';
import type { NewPluginMemory, PluginMemoryKind } from '../../ports/memory-plugin.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord, nilId } from '../audit/off-the-record.js';
import { scopeOf } from '../caller.js';
import { redactUnblocked, refuseBlocked } from '../guard-models.js';
import { checkMetadata, toContent } from '../memories/memory-input.js';
import { memoryTarget } from '../memories/memory-target.js';
import { hashOf } from '../memories/new-memory.js';
import { isOrgNamespace, type NamespaceGrant } from '../one-memory/namespace-grants.js';
import { originMember } from '../plugin/legacy-origin.js';
import { textsOf } from '../texts-of.js';
import {
  checkExpiry,
  checkTenant,
  type Host,
  type HostCaller,
  needCapability,
  usesOutsidePlugin,
  writableNamespace,
} from './host.js';
import { toMarkedId } from './plugin-memory-id.js';
import { vectorOf } from './vector-of.js';

interface CommitInput {
  content: string;
  /** Default: the caller's own workspace. */
  namespace?: string | undefined;
  kind?: PluginMemoryKind | undefined;
  expiresAt?: Date | undefined;
  isPinned?: boolean | undefined;
  /** Any JSON object, stored by the plugin without reading it. */
  propagation?: { [member: string]: Json } | undefined;
}

export interface Committed {
  id: string;
  namespace: string;
  expiresAt: Date | null;
  /** Number of secrets that were removed. */
  redactions: number;
}

const summaryAgeMs = 30 * 24 * 3600 * 1000;

/** Stores a memory for an agent, without its secrets, unless it is off the record. Throws CONTENT_BLOCKED, FORBIDDEN or INVALID_REQUEST. */
export async function commitMemory(host: Host, caller: HostCaller, input: CommitInput): Promise<Committed> {
  checkTenant(host, caller);
  const grant = writableNamespace(caller, input.namespace);
  const { expiresAt, isPinned } = input;
  if (expiresAt !== undefined) {
    needCapability(host, 'ttl', 'expires_at');
    checkExpiry(host.engine, expiresAt);
  }
  if (isPinned) needCapability(host, 'pin', 'pin');
  const given = toContent(input.content);
  if (await isOffTheRecord(host.engine, caller)) {
    return { id: nilId, namespace: grant.name, expiresAt: expiresAt ?? null, redactions: 0 };
  }
  const { text: content, found } = await redactUnblocked(host.engine, caller, given);
  const also = await host.engine.tenants.alsoRedacted(scopeOf(caller));
  const propagation = preparePropagation(host, input.propagation, also);
  addFound(found, propagation?.found ?? {});
  const memory = { content, kind: input.kind ?? 'fact', source: 'agent', expiresAt, isPinned } as const;
  const embedding = await vectorOf(host, caller, content, 'passage');
  caller.signal?.throwIfAborted();
  const id = await store(host, caller, grant, { ...memory, propagation: propagation?.value, embedding });
  host.engine.telemetry.countRedactions(found);
  const redactions = Object.values(found).reduce((sum, count) => sum + count, 0);
  const shownId = usesOutsidePlugin(host, caller) ? toMarkedId(id) : id;
  return { id: shownId, namespace: grant.name, expiresAt: expiresAt ?? null, redactions };
}

/** Returns the propagation without its secrets. Throws INVALID_REQUEST or CONTENT_BLOCKED: models read it in results. */
function preparePropagation(host: Host, propagation: CommitInput['propagation'], also: readonly OptionalLabel[]) {
  if (propagation === undefined) return undefined;
  needCapability(host, 'propagation', 'propagation');
  checkMetadata(propagation, 'propagation');
  if (originMember in propagation) {
    throw new Problem('INVALID_REQUEST', `"propagation" must not have the member "${originMember}": it is reserved.`);
  }
  for (const text of textsOf(propagation)) refuseBlocked(host.engine, text);
  return redactJson(propagation, also);
}

/** Stores a summary of the current state. Without an expiry it is kept for 30 days, if the plugin supports expiry. */
export function commitSummary(
  host: Host,
  caller: HostCaller,
  input: Pick<CommitInput, 'content' | 'namespace' | 'expiresAt'>,
): Promise<Committed> {
  const usual = host.capabilities.has('ttl') ? new Date(host.engine.clock.now().getTime() + summaryAgeMs) : undefined;
  return commitMemory(host, caller, { ...input, kind: 'summary', expiresAt: input.expiresAt ?? usual });
}

/** Creates the namespace when something is first written to it. */
async function store(
  host: Host,
  caller: HostCaller,
  { name, kind }: NamespaceGrant,
  memory: NewPluginMemory,
): Promise<string> {
  const { plugin, namespaces } = host;
  const audited = await recordOrgWrite(host, caller, name, memory);
  const namespace = { name, kind, expiresAt: null, metadata: null };
  return namespaces.write({
    key: `${caller.tenantId}/${name}`,
    write: () => plugin.commit(caller, name, audited),
    // Without the signal: other calls may be waiting for the namespace.
    make: () => plugin.putNamespace({ ...caller, signal: undefined }, namespace),
  });
}

/**
 * A write that the whole organisation will read, to a plugin without its own audit, is recorded in the audit log
 * beforehand: a record of a failed write is better than a write without a record. This is why the id is chosen here.
 */
async function recordOrgWrite(
  { engine, plugin }: Host,
  caller: HostCaller,
  namespace: string,
  memory: NewPluginMemory,
): Promise<NewPluginMemory> {
  if (!isOrgNamespace(namespace) || plugin.keepsAudit) return memory;
  const id = uuidv7(engine.clock.now().getTime());
  const target = memoryTarget({ id, kind: memory.kind });
  const mutation = { target, preEtag: null, postEtag: null, contentHash: hashOf(memory.content) };
  await mutate(engine, caller, async () => ({
    result: undefined,
    mutations: [{ ...mutation, details: { namespace } }],
  }));
  return { ...memory, id };
}
