import type { Json } from '@memhall/core';
import type { EventRecord } from '../../ports/artifact-bodies.js';
import type { Memory } from '../../ports/memories.js';
import type { Replay } from '../../ports/replays.js';
import type { Tables } from '../../ports/store.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { type Caller, scopeOf } from '../caller.js';
import { type DocumentRecord, parseDocumentRecord } from '../documents/document-record.js';
import type { Engine } from '../engine.js';
import { eventKind, fromEventArtifact } from '../events/event-record.js';
import { type SeenFact, statusOf } from '../facts/read-facts.js';
import { factKind, learner } from './learned-facts.js';
import { turnKinds } from './list-conversations.js';

/** What was made from a conversation. Messages are named by the ids of their memories, or by those of the snapshot. */
export interface LearnedConversation {
  /** Newest first. */
  replays: Replay[];
  /** What it was about, newest first. */
  digests: { event: EventRecord; messageIds: string[] }[];
  /** Texts that the extractor proposed and that were kept. */
  learned: { memory: Memory; messageIds: string[] }[];
  /** What its messages, its texts and its digests state. */
  facts: (SeenFact & { messageIds: string[] })[];
  /** Versions of documents whose evidence names it, newest first. */
  patches: (DocumentRecord & { messageIds: string[] })[];
  /** Patches that wait for a retry or a decision. */
  unresolved: (UnresolvedPatch & { messageIds: string[] })[];
}

/** Of each kind. A conversation that made more is shown in part. */
const atMost = 500;

/** Returns what was learned from a conversation of the caller's user; empty lists if nothing was, or if there is none. */
export function readConversation(engine: Engine, caller: Caller, conversationId: string): Promise<LearnedConversation> {
  const now = engine.clock.now();
  return engine.store.read(scopeOf(caller), async (tables) => {
    const [replays, records, ofSnapshots, ofChat, turns, texts] = await Promise.all([
      tables.replays.of(conversationId, atMost),
      tables.audit.versionsCiting(conversationId, atMost),
      tables.artifacts.newest('event', { evidence: { member: 'conversation_id', text: conversationId } }, atMost),
      tables.artifacts.newest('event', { evidence: { member: 'session_id', text: conversationId } }, atMost),
      memoriesOf(tables, caller, { kinds: turnKinds, sessionIds: [conversationId] }, now),
      memoriesOf(
        tables,
        caller,
        { kinds: [factKind], agentId: learner, metadata: { evidence: { session_id: conversationId } } },
        now,
      ),
    ]);
    const digests = [...ofSnapshots, ...ofChat].map(fromEventArtifact);
    const said = new Map<string, string[]>([
      ...turns.map(({ id }): [string, string[]] => [id, [id]]),
      ...texts.map((memory): [string, string[]] => [memory.id, messageIdsOf(memory.metadata.evidence)]),
      ...(await digestMemories(tables, caller, digests)),
    ]);
    const [facts, unresolved] = await Promise.all([
      tables.facts.basedOn([...said.keys()]),
      tables.unresolvedPatches.ofReplays(replays.map(({ replayId }) => replayId)),
    ]);
    return {
      replays,
      digests: digests.map((event) => ({ event, messageIds: messageIdsOf(event.evidence) })),
      learned: texts.map((memory) => ({ memory, messageIds: said.get(memory.id) ?? [] })),
      facts: facts.map((fact) => ({
        fact,
        status: statusOf(fact, now),
        messageIds: [...new Set(fact.evidence.flatMap((id) => said.get(id) ?? []))],
      })),
      patches: records
        .map(parseDocumentRecord)
        .map((record) => ({ ...record, messageIds: messageIdsOf(record.evidence) })),
      unresolved: unresolved.map((patch) => ({ ...patch, messageIds: messageIdsOf(patch.evidence) })),
    };
  });
}

async function memoriesOf(
  tables: Tables,
  { userId }: Caller,
  filter: Parameters<Tables['memories']['arrivedAfter']>[1],
  now: Date,
): Promise<Memory[]> {
  const partition = { kind: 'user', userId } as const;
  const listed = await tables.memories.arrivedAfter(partition, filter, { after: 0n, limit: atMost, now });
  return listed.map(({ memory }) => memory);
}

/** A digest says which messages it is based on, but not which of them says what. */
async function digestMemories(
  tables: Tables,
  { userId }: Caller,
  digests: readonly EventRecord[],
): Promise<[string, string[]][]> {
  if (digests.length === 0) return [];
  const ids = digests.map(({ event_id }) => event_id);
  const found = await tables.memories.findByExternalId({ kind: 'user', userId }, eventKind, ids);
  return found.map(({ id }) => [id, []]);
}

function messageIdsOf(evidence: Json | undefined): string[] {
  if (evidence === null || typeof evidence !== 'object' || Array.isArray(evidence)) return [];
  const ids = evidence.message_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
