import type { Json } from '@memhall/core';
import type { ChatPlace } from '../../ports/episodes.js';
import { type FactKind, factKinds, type KnownFact, type ProposedFact } from '../../ports/extractor.js';
import type { Fact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type LearnedMemory, type Lesson, learnFacts, readLessons } from '../facts/learn-facts.js';
import { statusOf } from '../facts/read-facts.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { NewMemory } from '../memories/new-memory.js';
import { originOfEvidence } from '../memories/origin-of-write.js';
import { type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';
import { knownAttributes, modelLesson, overLesson, plainLesson } from './proposed-lessons.js';

export const factKind = 'fact' satisfies MemoryKind;
/** The `agentId` of facts that were learned from chats. Facts that somebody stored have another one, or none. */
export const learner = 'memhall';
/** Less certain statements stay only in the conversation. */
const minConfidence = 0.7;
const knownAtMost = 500;

export interface LearnedFact extends KnownFact {
  memory: Memory;
}

/** Returns what was learned about the caller's user from chats and is not known to be over, latest first. */
export async function learnedFacts(tables: Tables, { userId }: Caller, now: Date): Promise<LearnedFact[]> {
  const filter = { kind: factKind, agentId: learner };
  const listed = await tables.memories.recent({ kind: 'user', userId }, filter, { limit: knownAtMost, now });
  const facts = await tables.facts.basedOn(listed.map(({ memory }) => memory.id));
  return listed
    .filter(({ memory }) => !isOver(facts, memory.id, now))
    .map(({ memory }) => ({
      memory,
      kind: factKindOf(memory.metadata.fact_kind),
      text: memory.content,
    }));
}

function factKindOf(name: Json | undefined): FactKind {
  return factKinds.find((kind) => kind === name) ?? 'explicit';
}

function isOver(facts: readonly Fact[], memoryId: string, now: Date): boolean {
  const based = facts.filter(({ evidence }) => evidence.includes(memoryId));
  return based.length > 0 && based.every((fact) => !['current', 'unconfirmed'].includes(statusOf(fact, now)));
}

/** What a chat says, after all slow steps. */
interface PreparedFacts {
  /** The texts worth keeping. */
  prepared: PreparedMemories;
  /** What the messages state. */
  said: readonly LearnedMemory[];
  /** What each of the texts states. */
  lessons: readonly Lesson[];
  /** Learned texts that one of the texts corrects, with what becomes of them. */
  corrected: readonly LearnedMemory[];
}

/**
 * Prepares what is learned from messages. Rules read the messages themselves. The texts that the extractor proposes are kept as
 * memories; each is the text form of a fact, which decides whether it is still true.
 */
export async function prepareFacts(
  engine: Engine,
  caller: Caller,
  facts: readonly ProposedFact[],
  source: { place: ChatPlace; messages: readonly Memory[]; known: readonly LearnedFact[]; isReadBefore?: boolean },
): Promise<PreparedFacts> {
  const { messages, known } = source;
  const kept = facts.filter(({ confidence }) => confidence >= minConfidence);
  const inputs = kept.map((fact) => toFactMemory(fact, source, engine.extractor?.name ?? null));
  const prepared = await prepareMemories(engine, caller, inputs);
  const read = source.isReadBefore ? [] : await readLessons(engine, caller, messages);
  const said = messages.map((memory, index) => ({ memory, lesson: read[index] }));
  const told = await readLessons(engine, caller, prepared.memories);
  const isModel = engine.extractor?.deterministic === false;
  const outdated = known.filter(({ text }) => kept.some(({ supersedes }) => supersedes === text));
  if (isModel) {
    const attributes = await knownAttributes(engine, caller);
    const lessons = kept.map((fact, index) => {
      const corrects = outdated.some(({ text }) => text === fact.supersedes);
      return modelLesson(fact, { read: told[index], attributes, corrects });
    });
    return { prepared, said, lessons, corrected: [] };
  }
  const lessons = kept.map((fact, index) => told[index] ?? plainLesson(fact));
  const decided = await readLessons(
    engine,
    caller,
    outdated.map(({ memory }) => memory),
  );
  const corrected = outdated.flatMap((old, index) => {
    const { evidence = [] } = kept.find(({ supersedes }) => supersedes === old.text) ?? {};
    const by = messages.filter(({ id }) => evidence.includes(id)).at(-1);
    return decided[index] !== undefined || by === undefined ? [] : toCorrected(old, by);
  });
  return { prepared, said, lessons, corrected };
}

/** Stores facts as part of a larger change. */
export async function storeFacts(
  tables: Tables,
  caller: Caller,
  { prepared, said, lessons, corrected }: PreparedFacts,
  now: Date,
): Promise<Mutation[]> {
  const { remembered, mutations } = await storeMemories(tables, caller, prepared);
  const texts = remembered.map(({ memory }, index) => ({ memory, lesson: lessons[index] }));
  return [...mutations, ...(await learnFacts(tables, [...said, ...texts, ...corrected], now))];
}

/**
 * Returns what a stored memory states, given what was read from it. If it was learned from a chat, it is the text form of a fact, as it
 * was when it was stored.
 */
export function lessonOfText(
  { kind, agentId, content, metadata, expiresAt }: Memory,
  read: Lesson | undefined,
): Lesson | undefined {
  if (kind !== factKind || agentId !== learner) return read;
  const until = expiresAt && { expiresAt: expiresAt.toISOString() };
  const fact = { kind: factKindOf(metadata.fact_kind), text: content, ...until };
  if (String(metadata.extractor).startsWith('rules-')) return read ?? plainLesson(fact);
  return modelLesson(fact, { read, attributes: new Map(), corrects: false });
}

/** What a text that was corrected says, and that it is over since a message said so. Facts with attributes decide by themselves. */
function toCorrected({ memory, kind, text }: LearnedFact, by: Memory): LearnedMemory[] {
  return [
    { memory, lesson: plainLesson({ kind: kind ?? 'explicit', text }) },
    { memory: by, lesson: overLesson(kind ?? 'explicit', text) },
  ];
}

function toFactMemory(
  { kind, text, confidence, evidence, expiresAt }: ProposedFact,
  { place, messages }: { place: ChatPlace; messages: readonly Memory[] },
  extractor: string | null,
): NewMemory {
  const said = messages.filter(({ id }) => evidence.includes(id));
  return {
    kind: factKind,
    content: text,
    uniqueContent: true,
    agentId: learner,
    source: 'conversation',
    occurredAt: said.at(-1)?.occurredAt,
    derivedFrom: originOfEvidence(said.length > 0 ? said : messages),
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    metadata: {
      fact_kind: kind,
      confidence,
      extractor,
      evidence: {
        session_id: place.sessionId,
        app_id: place.appId,
        project_id: place.projectId,
        message_ids: evidence,
      },
    },
  };
}
