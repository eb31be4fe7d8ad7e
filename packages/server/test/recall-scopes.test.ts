import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { listMemories } from '../src/engine/memories/list-memories.js';
import { putNamespace } from '../src/engine/memories/namespaces.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import type { MemoryScope, Visibility } from '../src/engine/memories/scope-partitions.js';
import type { Memory, MemoryFilter } from '../src/ports/memories.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

/** Ids and names that share prefixes, to catch comparisons by prefix. */
const one = callerOf('1', 'alike', ['team:1', 'team']);
const ten = callerOf('10', 'alike', ['team:10']);
const places: [Caller, Visibility][] = [
  [one, 'private'],
  [one, 'public'],
  [one, { namespace: 'team:1' }],
  [one, { namespace: 'team' }],
  [ten, 'private'],
  [ten, 'public'],
  [ten, { namespace: 'team:10' }],
];
const month = (index: number) => new Date(Date.UTC(2024, index, 1));
const inEachPlace = 24;

/** Combines lists of different lengths so that most values meet most others. */
function toNewMemory(visibility: Visibility, index: number) {
  return {
    content: `budget item ${index}`,
    kind: customKind(['diary', 'diar'][index % 2] as string),
    visibility,
    sessionId: ['s1', 's10', undefined][index % 3],
    agentId: ['a', 'aa', undefined, 'b', undefined][index % 5],
    tags: [['t'], ['t1'], ['t', 't1'], [], ['T'], [], []][index % 7],
    metadata: { level: [1, 10, '1', { of: [1, 2] }][index % 4] ?? null },
    occurredAt: month(index % 3),
    expiresAt: index % 11 === 0 ? new Date(0) : undefined,
  };
}

const scopes: fc.Arbitrary<MemoryScope> = fc.record({
  own: fc.boolean(),
  public: fc.boolean(),
  namespaces: fc.subarray(['team', 'team:', 'team:1', 'team:10']),
});
const filters: fc.Arbitrary<MemoryFilter> = fc.record(
  {
    kinds: fc.subarray(['diary', 'diar', 'dia'], { minLength: 1 }),
    sessionIds: fc.subarray(['s1', 's10', 's'], { minLength: 1 }),
    agentId: fc.constantFrom('a', 'aa'),
    tags: fc.subarray(['t', 't1', 't10'], { minLength: 1 }),
    metadata: fc.constantFrom({ level: 1 }, { level: '1' }, { level: { of: [2] } }),
    occurredFrom: fc.constantFrom(month(1), month(2)),
    occurredTo: fc.constantFrom(month(1), month(2)),
  },
  { requiredKeys: [] },
);

function isSeen({ partition, userId }: Memory, caller: Caller, scope: MemoryScope): boolean {
  if (partition.kind === 'user') return scope.own === true && userId === caller.userId;
  if (partition.kind === 'public') return scope.public === true;
  return [scope.namespaces, caller.namespaces].every((names) => names?.includes(partition.name));
}

function fits(memory: Memory, filter: MemoryFilter): boolean {
  const { kinds, sessionIds, agentId, tags, metadata, occurredFrom, occurredTo } = filter;
  const { level } = memory.metadata;
  return (
    memory.expiresAt === null &&
    (kinds === undefined || kinds.includes(memory.kind)) &&
    (sessionIds === undefined || sessionIds.includes(memory.sessionId ?? '')) &&
    (agentId === undefined || agentId === memory.agentId) &&
    (tags === undefined || tags.some((tag) => memory.tags.includes(tag))) &&
    (metadata === undefined ||
      level === metadata.level ||
      (typeof level === 'object' && typeof metadata.level === 'object')) &&
    (occurredFrom === undefined || memory.occurredAt >= occurredFrom) &&
    (occurredTo === undefined || memory.occurredAt < occurredTo)
  );
}

const idsOf = (memories: readonly Memory[]) => memories.map(({ id }) => id).sort();

describeEachDatabase('scopes and filters', (database) => {
  const running = useEngine(database);
  const engine = () => running().engine;
  const all: Memory[] = [];

  beforeAll(async () => {
    for (const [caller, visibility] of places) {
      if (typeof visibility === 'object')
        await putNamespace(engine(), caller, {
          name: visibility.namespace,
          kind: 'team',
          expiresAt: null,
          metadata: null,
        });
      const batch = Array.from({ length: inEachPlace }, (_, index) => toNewMemory(visibility, index));
      for (const { memory } of await rememberMany(engine(), caller, batch)) all.push(memory);
    }
  });

  it('returns exactly the matching memories from recall and list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(one, ten), scopes, filters, async (caller, scope, filter) => {
        const wanted = idsOf(all.filter((memory) => isSeen(memory, caller, scope) && fits(memory, filter)));
        const found = await recall(engine(), caller, { text: 'budget', scope, filter, limit: 500 });
        expect(idsOf(found.map(({ memory }) => memory))).toEqual(wanted);
        const listed = await listMemories(engine(), caller, { scope, filter, limit: 500 });
        expect(idsOf(listed.items)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
