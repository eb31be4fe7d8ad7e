import { createHash } from 'node:crypto';
import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory } from '../../ports/memories.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { prepareEvent, storeEvent } from '../events/write-event.js';
import { toChatFilter } from '../memories/chat-columns.js';
import { originOfEvidence } from '../memories/origin-of-write.js';
import { noteStored } from '../memories/remember.js';
import { messageKind } from './add-messages.js';
import { readEpisode, toEpisodeEvent } from './episode-event.js';
import { type LearnedFact, learnedFacts, prepareFacts, storeFacts } from './learned-facts.js';

/** Longer open stretches are split into several episodes. */
const longestEpisode = 500;

interface FlushReport {
  /** Number of closed episodes; 0 if nothing was open. */
  episodes: number;
  /** Event of the last one. */
  eventId: string | undefined;
}

interface OpenEpisode {
  /**
   * Stays the same while the episode is open: if an outer store has the event of a flush that the database lost, the
   * next flush replaces it.
   */
  eventId: string;
  /** In conversation order. */
  messages: readonly Memory[];
  /** Arrival number of the last message before it, and of its own last message. */
  after: bigint;
  lastSeq: bigint;
  known: readonly LearnedFact[];
}

/**
 * Closes the open part of a chat: an event describes it as a whole, and facts worth remembering are stored. A slow
 * extractor reads it later. If several calls run concurrently, only one of them closes it. Off the record, it stays open.
 */
export async function flushChat(engine: Engine, caller: Caller, place: ChatPlace): Promise<FlushReport> {
  const report: FlushReport = { episodes: 0, eventId: undefined };
  if (await isOffTheRecord(engine, caller, place.sessionId)) return report;
  for (;;) {
    const open = await readOpen(engine, caller, place);
    if (open.messages.length === 0) return report;
    const eventId = await closeEpisode(engine, caller, place, open);
    if (eventId === undefined) return report;
    report.episodes += 1;
    report.eventId = eventId;
    if (open.messages.length < longestEpisode) return report;
  }
}

function readOpen(engine: Engine, caller: Caller, place: ChatPlace): Promise<OpenEpisode> {
  const now = engine.clock.now();
  const partition = { kind: 'user', userId: caller.userId } as const;
  const filter = { kinds: [messageKind], ...toChatFilter(place) };
  return engine.store.read(scopeOf(caller), async (tables) => {
    const after = await tables.episodes.closedUpTo(place);
    const [arrived, known] = await Promise.all([
      tables.memories.arrivedAfter(partition, filter, { after, limit: longestEpisode, now }),
      learnedFacts(tables, caller, now),
    ]);
    const messages = arrived
      .map(({ memory }) => memory)
      .sort((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
    return {
      eventId: eventIdOf(arrived[0]?.memory.id ?? ''),
      messages,
      after,
      lastSeq: arrived.at(-1)?.seq ?? after,
      known,
    };
  });
}

function eventIdOf(firstArrived: string): string {
  return `evt_${createHash('sha256').update(firstArrived).digest('hex').slice(0, 32)}`;
}

/** Returns undefined if another call has closed it concurrently. */
async function closeEpisode(
  engine: Engine,
  caller: Caller,
  place: ChatPlace,
  { eventId, messages, after, lastSeq, known }: OpenEpisode,
): Promise<string | undefined> {
  const readsLater = engine.extractor?.local === false;
  const { digest, facts } = readsLater
    ? { digest: null, facts: [] }
    : await readEpisode(engine, caller, messages, known);
  const summary = toEpisodeEvent(eventId, place, messages, digest);
  const event = await prepareEvent(engine, caller, summary, originOfEvidence(messages));
  const learned = await prepareFacts(engine, caller, facts, { place, messages, known });
  const status = readsLater ? 'waiting' : 'done';
  const isClosed = await mutate(engine, caller, async (tables, now) => {
    if ((await tables.episodes.closedUpTo(place)) !== after) return { result: false, mutations: [] };
    const told = await storeEvent(tables, caller, event, now);
    const kept = await storeFacts(tables, caller, learned, now);
    tables.episodes.put({ ...place, eventId, lastSeq, status, attempts: 0, createdAt: now, updatedAt: now });
    return { result: true, mutations: [told, ...kept] };
  });
  if (!isClosed) return undefined;
  noteStored(engine, caller, event.indexed);
  noteStored(engine, caller, learned.prepared);
  if (readsLater) engine.onEpisodeWaiting({ tenantId: caller.tenantId, userId: caller.userId, eventId });
  return eventId;
}
