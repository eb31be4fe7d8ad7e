import type { NewChange } from '../../ports/changes.js';
import { partitionKey } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import { tierNamespace } from '../tier-path.js';
import type { Mutation } from './audit-record.js';

/** What can be followed besides memories, by the first part of its target. */
const kinds: Readonly<Record<string, string>> = {
  documents: 'document',
  events: 'event',
  fact: 'fact',
  'subject-names': 'subject',
  resource: 'resource',
  snapshots: 'snapshot',
  session: 'session',
  plan: 'plan',
  task: 'task',
  working: 'working',
  quarantine: 'quarantine',
  'unresolved-patches': 'unresolved_patch',
  namespace: 'namespace',
};

/** Returns what others learn of recorded changes. Changes of the tenant as a whole are nobody's to follow. */
export function toChanges(caller: Caller, mutations: readonly Mutation[], now: Date): NewChange[] {
  return mutations.flatMap((mutation) => {
    const named = toKindAndId(mutation.target);
    const { partition = { kind: 'user', userId: caller.userId } } = mutation;
    if (named === undefined || (partition.kind === 'user' && partition.userId === '')) return [];
    return {
      ...named,
      partition: partitionKey(partition),
      noteOwner: noteOwnerOf(mutation.target),
      operation: caller.operation,
      at: mutation.at ?? now,
    };
  });
}

function toKindAndId(target: string): Pick<NewChange, 'kind' | 'id'> | undefined {
  const [head = '', ...rest] = target.split('/');
  if (head === 'memory') return { kind: rest[0] ?? '', id: rest.slice(1).join('/') };
  const kind = kinds[head];
  return kind === undefined ? undefined : { kind, id: rest.join('/') };
}

/** Returns whose note a document is: the first part of its path names the owner. */
function noteOwnerOf(target: string): string | null {
  const [head, namespace, owner = null] = target.split('/');
  return head === 'documents' && namespace === tierNamespace ? owner : null;
}
