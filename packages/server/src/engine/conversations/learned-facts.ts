import type { ChatPlace } from '../../ports/episodes.js';
import { type FactKind, factKinds, type KnownFact, type ProposedFact } from '../../ports/extractor.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from '../memories/kinds.js';
import { memoryMutation } from '../memories/memory-target.js';
import type { NewMemory } from '../memories/new-memory.js';
import { originOfEvidence } from '../memories/origin-of-write.js';
import { type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';

const factKind = 'fact' satisfies MemoryKind;
/** The `agentId` of facts that were learned from chats. Facts that somebody stored have another one, or none. */
const learner = 'memhall';
/** Less certain statements stay only in the conversation. */
const minConfidence = 0.7;
const knownAtMost = 500;

export interface LearnedFact extends KnownFact {
  memoryId: string;
}

/** Returns the facts learned about the caller's user from chats, latest first. */
export async function learnedFacts(tables: Tables, { userId }: Caller, now: Date): Promise<LearnedFact[]> {
  const filter = { kind: factKind, agentId: learner };
  const listed = await tables.memories.recent({ kind: 'user', userId }, filter, { limit: knownAtMost, now });
  return listed.map(({ memory: { id, content, metadata } }) => ({
    memoryId: id,
    kind: factKinds.find((kind) => kind === metadata.fact_kind) ?? ('explicit' satisfies FactKind),
    text: content,
  }));
}

/** Facts worth keeping, after all slow steps. */
interface PreparedFacts {
  prepared: PreparedMemories;
  /** Ids of the memories they replace. */
  superseded: readonly string[];
}

export async function prepareFacts(
  engine: Engine,
  caller: Caller,
  facts: readonly ProposedFact[],
  source: { place: ChatPlace; messages: readonly Memory[]; known: readonly LearnedFact[] },
): Promise<PreparedFacts> {
  const kept = facts.filter(({ confidence }) => confidence >= minConfidence);
  const inputs = kept.map((fact) => toFactMemory(fact, source, engine.extractor?.name ?? null));
  const corrected = new Set(kept.flatMap(({ supersedes }) => supersedes ?? []));
  return {
    prepared: await prepareMemories(engine, caller, inputs),
    superseded: source.known.filter(({ text }) => corrected.has(text)).map(({ memoryId }) => memoryId),
  };
}

/** Stores facts as part of a larger change. */
export async function storeFacts(
  tables: Tables,
  caller: Caller,
  { prepared, superseded }: PreparedFacts,
): Promise<Mutation[]> {
  const gone = superseded.length === 0 ? [] : await tables.memories.findStored(superseded);
  if (gone.length > 0) tables.memories.delete(gone.map(({ id }) => id));
  const { mutations } = await storeMemories(tables, caller, prepared);
  return [...gone.map((memory) => memoryMutation(memory, null)), ...mutations];
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
