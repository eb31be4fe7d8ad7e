import type { PatchOperation } from '@memhall/core';
import type { Caller } from '../../src/engine/caller.js';
import { getDocument } from '../../src/engine/documents/get-document.js';
import { type PatchInput, patchDocument } from '../../src/engine/documents/patch-document.js';
import type { Engine } from '../../src/engine/engine.js';

export const dynamicDocument = { namespace: 'user', path: 'user_dynamic.json' };

/** Returns the blob name of the document. */
export function blobNameOf(caller: Caller, { namespace, path } = dynamicDocument): string {
  return `tenants/${caller.tenantId}/users/${caller.userId}/documents/${namespace}/${path}`;
}

/** Adds a preference to `user_dynamic` of the starter profile, unconditionally by default. */
export function addPreference(engine: Engine, caller: Caller, text: string, more: Partial<PatchInput> = {}) {
  const ops: PatchOperation[] = [{ op: 'add', path: '/content/preferences/-', value: text }];
  return patchDocument(engine, caller, { ...patchOf(ops), ...more });
}

export function patchOf(ops: PatchOperation[]): PatchInput {
  return {
    ...dynamicDocument,
    profileId: 'project-copilot-v1',
    bindingId: 'user_dynamic',
    reason: 'live_update',
    evidence: null,
    confidence: null,
    precondition: { kind: 'none' },
    idempotency: null,
    ops,
  };
}

/** Returns the texts that recall knows of a user's documents, in the order of their arrival. */
export async function piecesOf(engine: Engine, { tenantId, userId }: Caller): Promise<string[]> {
  const page = { before: undefined, limit: 10_000, now: new Date() };
  const listed = await engine.store.read({ tenantId, userId }, (tables) =>
    tables.memories.list([{ kind: 'user', userId }], { kinds: ['document'] }, page),
  );
  return listed.map(({ memory }) => memory.content).reverse();
}

export async function preferencesOf(engine: Engine, caller: Caller): Promise<unknown> {
  return (await getDocument(engine, caller, dynamicDocument)).body.content.preferences;
}
