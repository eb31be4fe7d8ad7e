import { Problem, redact, uuidv7 } from '@memhall/core';
import type { NewPluginMemory, PluginMemoryKind } from '../../ports/memory-plugin.js';
import { mutate } from '../audit/mutate.js';
import { refuseBlocked } from '../guard-models.js';
import { checkDate, toContent } from '../memories/memory-input.js';
import { memoryTarget } from '../memories/memory-target.js';
import { hashOf } from '../memories/new-memory.js';
import { checkTenant, type Host, type HostCaller, needCapability, writableNamespace } from './host.js';
import { isOrgNamespace, type NamespaceGrant } from './namespace-grants.js';
import { vectorOf } from './vector-of.js';

interface CommitInput {
  content: string;
  /** Default: that of the caller's own work. */
  namespace?: string | undefined;
  kind?: PluginMemoryKind | undefined;
  expiresAt?: Date | undefined;
  isPinned?: boolean | undefined;
}

export interface Committed {
  id: string;
  namespace: string;
  expiresAt: Date | null;
  /** Secrets that were kept out of it. */
  redactions: number;
}

const summaryAgeMs = 30 * 24 * 3600 * 1000;

/** Stores what an agent wants to be remembered, without its secrets. Throws CONTENT_BLOCKED, FORBIDDEN, INVALID_REQUEST. */
export async function commitMemory(host: Host, caller: HostCaller, input: CommitInput): Promise<Committed> {
  checkTenant(host, caller);
  const grant = writableNamespace(caller, input.namespace);
  const { expiresAt, isPinned } = input;
  if (expiresAt !== undefined) {
    needCapability(host, 'ttl', 'expires_at');
    checkDate('expires_at', expiresAt);
    if (expiresAt <= host.engine.clock.now()) {
      throw new Problem('INVALID_REQUEST', '"expires_at" is in the past: name a later moment, or leave it out.');
    }
  }
  if (isPinned) needCapability(host, 'pin', 'pin');
  const given = toContent(input.content);
  refuseBlocked(host.engine, given);
  const { text: content, found } = redact(given);
  const memory = { content, kind: input.kind ?? 'fact', source: 'agent', expiresAt, isPinned } as const;
  const embedding = await vectorOf(host, caller, content);
  caller.signal?.throwIfAborted();
  const id = await store(host, caller, grant, { ...memory, embedding });
  host.engine.telemetry.countRedactions(found);
  const redactions = Object.values(found).reduce((sum, count) => sum + count, 0);
  return { id, namespace: grant.name, expiresAt: expiresAt ?? null, redactions };
}

/** Stores how things stand. Without a date it is kept for 30 days, where the plugin can let things expire. */
export function commitSummary(
  host: Host,
  caller: HostCaller,
  input: Pick<CommitInput, 'content' | 'namespace' | 'expiresAt'>,
): Promise<Committed> {
  const usual = host.capabilities.has('ttl') ? new Date(host.engine.clock.now().getTime() + summaryAgeMs) : undefined;
  return commitMemory(host, caller, { ...input, kind: 'summary', expiresAt: input.expiresAt ?? usual });
}

/** The namespace is made when something is first written to it. */
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
    // Others may wait for it, who have not ended their calls.
    make: () => plugin.putNamespace({ ...caller, signal: undefined }, namespace),
  });
}

/**
 * What the whole organisation will read is in the audit log before it is written where the log does not reach: rather a record
 * of a write that failed than a write without one. The id is chosen here for that.
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
