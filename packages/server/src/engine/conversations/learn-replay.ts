import type { ConversationMessage, ProposedFact } from '../../ports/extractor.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { learnFacts, readLessons } from '../facts/learn-facts.js';
import { type NewMemory, toMemory } from '../memories/new-memory.js';
import { surfaceOf } from '../operation-surface.js';
import { trustOf } from '../trust.js';
import { messageKind } from './add-messages.js';
import { knownAttributes, statedLesson } from './proposed-lessons.js';
import type { ReplayMaterial } from './read-material.js';

/**
 * Returns what learns the facts that a replayed conversation states. Its evidence is the event that describes the conversation: what
 * an earlier snapshot of it had stated is taken back first.
 */
export async function learnerOfReplay(
  engine: Engine,
  caller: Caller,
  { messages, endedAt }: ReplayMaterial,
  facts: readonly ProposedFact[],
) {
  const now = engine.clock.now();
  const said = messages.map((message) => toSpoken(caller, message, endedAt ?? now, now));
  const lessons = await readLessons(engine, caller, said);
  const attributes = await knownAttributes(engine, caller);
  // What the rules read, they read in the messages. What a model finds besides is added.
  const proposed = facts.flatMap((fact) => {
    const place = messages.findLastIndex(({ id }) => fact.evidence.includes(id));
    const lesson = statedLesson(fact, attributes);
    const memory = said[place];
    return lesson === undefined || memory === undefined || lessons[place] !== undefined ? [] : [{ memory, lesson }];
  });
  return async (tables: Tables, eventId: string, at: Date): Promise<Mutation[]> => {
    const partition = { kind: 'user', userId: caller.userId } as const;
    const [event] = await tables.memories.findByExternalId(partition, eventKind, [eventId]);
    if (event === undefined) return [];
    const learned = [...said.map((memory, index) => ({ memory, lesson: lessons[index] })), ...proposed].map(
      ({ memory: { trust, occurredAt }, lesson }, index) => ({
        memory: { ...event, trust, occurredAt },
        lesson,
        isReworded: index === 0,
      }),
    );
    return learnFacts(tables, learned, at);
  };
}

/** A message as a memory would be, so that it is read like one. */
function toSpoken(caller: Caller, { role, content, timestamp }: ConversationMessage, usual: Date, now: Date): Memory {
  const at = Date.parse(timestamp ?? '');
  const occurredAt = Number.isNaN(at) ? usual : new Date(at);
  const input: NewMemory = { kind: messageKind, content: content.trim() === '' ? '-' : content, role, occurredAt };
  const { memory } = toMemory(caller, input, { now, also: [] });
  return { ...memory, trust: trustOf({ ...caller, surface: surfaceOf(caller.operation) }, role) };
}
