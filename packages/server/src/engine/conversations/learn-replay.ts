import type { ConversationMessage, ProposedFact } from '../../ports/extractor.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { type LearnedMemory, learnFacts, readLessons, type SpokenText } from '../facts/learn-facts.js';
import { surfaceOf } from '../operation-surface.js';
import { trustOf } from '../trust.js';
import { messageKind } from './add-messages.js';
import { knownAttributes, statedLesson } from './proposed-lessons.js';
import { endOf, type ReplayMaterial } from './read-material.js';
import { readStoredConversation } from './read-stored-conversation.js';
import { openSnapshot, placeOfSnapshot, unpackSnapshot } from './snapshot.js';

/**
 * Returns what learns the facts that a replayed conversation states. Its evidence is the event that describes the conversation: what
 * an earlier snapshot of it had stated is taken back first.
 */
export async function learnerOfReplay(
  engine: Engine,
  caller: Caller,
  material: ReplayMaterial,
  facts: readonly ProposedFact[],
) {
  const toLearned = await readMessages(engine, caller, material, facts);
  return async (tables: Tables, eventId: string, at: Date): Promise<Mutation[]> => {
    const partition = { kind: 'user', userId: caller.userId } as const;
    const [event] = await tables.memories.findByExternalId(partition, eventKind, [eventId]);
    if (event === undefined) return [];
    const learned = toLearned(event).map((one, index) => ({ ...one, isReworded: index === 0 }));
    return learnFacts(tables, learned, at);
  };
}

/** Returns what the conversation states that an event describes; nothing if it describes none, or its snapshot is gone. */
export async function readReplayedEvent(engine: Engine, caller: Caller, event: Memory): Promise<LearnedMemory[]> {
  const name = event.externalId ?? '';
  const opened = await engine.store.read(scopeOf(caller), async (tables) => {
    const artifact = await tables.artifacts.get({ kind: 'event', folder: '', name });
    const place = placeOfSnapshot(caller, artifact?.body.snapshot_uri);
    return place && openSnapshot(tables, engine.cipher, place);
  });
  if (opened === undefined) return [];
  const messages = await readStoredConversation(engine, caller, await unpackSnapshot(opened.packed));
  const toLearned = await readMessages(engine, caller, { messages, endedAt: endOf(messages) ?? event.occurredAt });
  return toLearned(event);
}

/** Reads what messages state, and adds what a model found besides. Returns it with the event as its source. */
async function readMessages(
  engine: Engine,
  caller: Caller,
  { messages, endedAt }: Pick<ReplayMaterial, 'messages' | 'endedAt'>,
  facts: readonly ProposedFact[] = [],
): Promise<(event: Memory) => LearnedMemory[]> {
  const now = engine.clock.now();
  const said = messages.map((message) => toSpoken(caller, message, endedAt ?? now));
  const lessons = await readLessons(engine, caller, said);
  const attributes = await knownAttributes(engine, caller);
  const proposed = facts.flatMap((fact) => {
    const place = messages.findLastIndex(({ id }) => fact.evidence.includes(id));
    const lesson = statedLesson(fact, attributes);
    const memory = said[place];
    return lesson === undefined || memory === undefined || lessons[place] !== undefined ? [] : [{ memory, lesson }];
  });
  const learned = [...said.map((memory, index) => ({ memory, lesson: lessons[index] })), ...proposed];
  return (event) =>
    learned.map(({ memory: { trust, occurredAt }, lesson }) => ({ memory: { ...event, trust, occurredAt }, lesson }));
}

/** A message as the part of a memory that is read. It may be longer than a memory. */
function toSpoken(
  caller: Caller,
  { role, content, timestamp }: ConversationMessage,
  usual: Date,
): SpokenText & Pick<Memory, 'trust'> {
  const at = Date.parse(timestamp ?? '');
  return {
    ...{ kind: messageKind, partition: { kind: 'user', userId: caller.userId }, role, content },
    occurredAt: Number.isNaN(at) ? usual : new Date(at),
    trust: trustOf({ ...caller, surface: surfaceOf(caller.operation) }, role),
  };
}
