import { Problem } from '@memhall/core';
import type { ArtifactOwner, ArtifactStore } from '../../src/ports/artifact-store.js';

export interface Fault {
  /** The index of the failing call to the store, from 0. */
  call: number;
  /** Whether the fault happens before or after the call takes effect. */
  moment: 'before' | 'after';
  /** Counts only calls for these owners. */
  of?: readonly string[];
  /** Runs instead of the failure. */
  instead?: () => Promise<void>;
}

/** Wraps a real store so that it fails from one call on. `calls` lists the calls it received. */
export function faultyArtifactStore(store: ArtifactStore, fault?: Fault): ArtifactStore & { calls: string[] } {
  const calls: string[] = [];
  let broken = false;
  const unavailable = () => new Problem('UNAVAILABLE', 'The line is broken.');
  async function pass<T>({ userId }: ArtifactOwner, what: string, work: () => Promise<T>): Promise<T> {
    if (broken) throw unavailable();
    if (fault?.of?.includes(userId) === false) return work();
    const isFaulty = calls.push(what) - 1 === fault?.call;
    if (isFaulty && fault.instead === undefined) broken = true;
    if (isFaulty && fault.moment === 'before') await (fault.instead?.() ?? Promise.reject(unavailable()));
    const result = await work();
    if (isFaulty && fault.moment === 'after') await (fault.instead?.() ?? Promise.reject(unavailable()));
    return result;
  }
  return {
    calls,
    get: ((owner, key, unless?: string) =>
      pass(owner, `get ${key.kind}`, () =>
        unless === undefined ? store.get(owner, key) : store.get(owner, key, unless),
      )) as ArtifactStore['get'],
    put: (owner, key, content, condition) =>
      pass(owner, `put ${key.kind}`, () => store.put(owner, key, content, condition)),
    delete: (owner, key, condition) => pass(owner, `delete ${key.kind}`, () => store.delete(owner, key, condition)),
    stageFile: (owner, name, pieces) =>
      pass(owner, 'stage file', async () => {
        const { keep, discard } = await store.stageFile(owner, name, pieces);
        return { keep: () => pass(owner, 'keep file', keep), discard: () => pass(owner, 'discard file', discard) };
      }),
    openFile: (owner, name, pieceBytes) => pass(owner, 'open file', () => store.openFile(owner, name, pieceBytes)),
    list: (owner, kind) => store.list(owner, kind),
    tenants: () => store.tenants(),
    users: (tenantId) => store.users(tenantId),
    identity: () => store.identity(),
  };
}
