import { jsonEqual } from '@memhall/core';
import type { DocumentPlace, DocumentState } from '../../ports/document-checkpoints.js';
import type { Store } from '../../ports/store.js';
import { documentStates } from './document-states.js';

const pageSize = 500;

interface Rebuilt {
  state: DocumentState | undefined;
  /** Why the rebuilt document differs from the stored one; undefined if they are equal. */
  fault: string | undefined;
}

/**
 * Rebuilds a document from its audit records alone and compares it with the stored one. If retention has cut the first records,
 * it starts from the state that retention stored in their place.
 */
export function rebuildDocument(
  store: Store,
  scope: { tenantId: string; userId: string },
  place: DocumentPlace,
): Promise<Rebuilt> {
  return store.read(scope, async (tables) => {
    const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
    const rebuilt: { version: number; state: DocumentState | undefined } = { version: 0, state: undefined };
    try {
      for await (const step of documentStates(tables, place)) Object.assign(rebuilt, step);
    } catch (error) {
      return { state: rebuilt.state, fault: error instanceof Error ? error.message : String(error) };
    }
    const { version, state } = rebuilt;
    const wasRemoved = version > 0 && state === undefined && stored === undefined;
    return { state, fault: wasRemoved ? undefined : compare(state, stored) };
  });
}

type Comparable = Pick<DocumentState, 'version' | 'etag' | 'body'> | undefined;

function compare(rebuilt: Comparable, stored: Comparable): string | undefined {
  if (rebuilt === undefined) return stored === undefined ? 'there is no such document' : 'it has no records';
  if (stored === undefined) return 'it has records but is not stored';
  if (rebuilt.version !== stored.version)
    return `it is stored as version ${stored.version}, but its records end at ${rebuilt.version}`;
  if (rebuilt.etag !== stored.etag || !jsonEqual(rebuilt.body, stored.body)) return 'its stored content differs';
  return undefined;
}

interface RebuiltDocument extends Rebuilt {
  userId: string;
  place: DocumentPlace;
}

/** Rebuilds the documents of a tenant in sequence, or only those of one user, or only one document of a user. */
export async function* rebuildDocuments(
  store: Store,
  wanted: { tenantId: string; userId?: string | undefined; place?: DocumentPlace | undefined },
): AsyncGenerator<RebuiltDocument & { number: number; total: number }> {
  const { tenantId } = wanted;
  const targets = await findTargets(store, wanted);
  for (const [index, { userId, place }] of targets.entries()) {
    const rebuilt = await rebuildDocument(store, { tenantId, userId }, place);
    yield { ...rebuilt, userId, place, number: index + 1, total: targets.length };
  }
}

async function findTargets(
  store: Store,
  { tenantId, userId, place }: Parameters<typeof rebuildDocuments>[1],
): Promise<{ userId: string; place: DocumentPlace }[]> {
  if (userId !== undefined && place !== undefined) return [{ userId, place }];
  const users =
    userId === undefined ? await store.inspect(tenantId, (tables) => tables.artifacts.owners('document')) : [userId];
  const targets: { userId: string; place: DocumentPlace }[] = [];
  for (const owner of users) {
    for (let after: readonly [string, string] | undefined; ; ) {
      const page = await store.read({ tenantId, userId: owner }, (tables) =>
        tables.artifacts.list('document', { limit: pageSize, ...(after === undefined ? {} : { after }) }),
      );
      targets.push(...page.map(({ folder, name }) => ({ userId: owner, place: { namespace: folder, path: name } })));
      const last = page.at(-1);
      if (page.length < pageSize || last === undefined) break;
      after = [last.folder, last.name];
    }
  }
  return targets;
}
