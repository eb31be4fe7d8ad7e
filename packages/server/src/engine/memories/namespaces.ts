import type { Json } from '@memhall/core';
import type { Namespace } from '../../ports/namespaces.js';
import { contentHash } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkDate, checkMetadata } from './memory-input.js';

interface NamespaceInput {
  name: string;
  kind: string;
  expiresAt: Date | null;
  metadata: { [key: string]: Json } | null;
}

/** Creates a namespace or replaces its properties; its memories stay. An expired namespace starts again, empty. */
export function putNamespace(engine: Engine, caller: Caller, input: NamespaceInput): Promise<Namespace> {
  check(input);
  return mutate(engine, caller, async (tables, now) => {
    tables.memories.lock({ kind: 'namespace', name: input.name });
    const current = await tables.namespaces.get(input.name);
    const expired = current !== undefined && isExpired(current, now);
    if (expired) tables.namespaces.delete(input.name);
    const namespace = { ...input, createdAt: current === undefined || expired ? now : current.createdAt };
    tables.namespaces.put(namespace);
    return { result: namespace, mutations: [mutationOf(namespace)] };
  });
}

/** Keeps values that are undefined. Returns undefined if the namespace does not exist. */
export function updateNamespace(
  engine: Engine,
  caller: Caller,
  name: string,
  change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
): Promise<Namespace | undefined> {
  check(change);
  return mutate(engine, caller, async (tables, now) => {
    tables.memories.lock({ kind: 'namespace', name });
    const current = await tables.namespaces.get(name);
    if (current === undefined || isExpired(current, now)) return { result: undefined, mutations: [] };
    const namespace: Namespace = {
      ...current,
      expiresAt: change.expiresAt === undefined ? current.expiresAt : change.expiresAt,
      metadata: change.metadata === undefined ? current.metadata : change.metadata,
    };
    tables.namespaces.put(namespace);
    return { result: namespace, mutations: [mutationOf(namespace)] };
  });
}

export async function getNamespace(engine: Engine, caller: Caller, name: string): Promise<Namespace | undefined> {
  const found = await engine.store.read(scopeOf(caller), (tables) => tables.namespaces.get(name));
  return found === undefined || isExpired(found, engine.clock.now()) ? undefined : found;
}

/** Returns the namespaces that exist among these names. */
export async function getNamespaces(engine: Engine, caller: Caller, names: readonly string[]): Promise<Namespace[]> {
  const now = engine.clock.now();
  const found = await engine.store.read(scopeOf(caller), (tables) => tables.namespaces.getMany(names));
  return found.filter((namespace) => !isExpired(namespace, now));
}

/** Deletes a namespace with all its memories. Returns whether it existed. */
export function deleteNamespace(engine: Engine, caller: Caller, name: string): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    tables.memories.lock({ kind: 'namespace', name });
    const current = await tables.namespaces.get(name);
    if (current === undefined) return { result: false, mutations: [] };
    tables.namespaces.delete(name);
    const mutation = { target: `namespace/${name}`, preEtag: null, postEtag: null, contentHash: null };
    return { result: !isExpired(current, now), mutations: [mutation] };
  });
}

function isExpired({ expiresAt }: Namespace, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function check({
  expiresAt,
  metadata,
}: {
  expiresAt?: Date | null | undefined;
  metadata?: { [key: string]: Json } | null | undefined;
}): void {
  if (expiresAt instanceof Date) checkDate('expires_at', expiresAt);
  if (metadata) checkMetadata(metadata);
}

function mutationOf({ name, kind, expiresAt, metadata }: Namespace) {
  const content = { kind, expires_at: expiresAt?.toISOString() ?? null, metadata };
  return { target: `namespace/${name}`, preEtag: null, postEtag: null, contentHash: contentHash(content) };
}
