import type { Episode } from '../../ports/episodes.js';
import type { Memory } from '../../ports/memories.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { fromEventArtifact } from '../events/event-record.js';
import { prepareEvent, storeEvent } from '../events/write-event.js';
import { originOfEvidence } from '../memories/origin-of-write.js';
import { noteStored } from '../memories/remember.js';
import { readEpisode, toEpisodeEvent } from './episode-event.js';
import { wasLastTry } from './last-try.js';
import { type LearnedFact, learnedFacts, prepareFacts, storeFacts } from './learned-facts.js';

export interface EpisodeRef {
  tenantId: string;
  userId: string;
  eventId: string;
}

/** An episode that has been waiting this long was abandoned by its worker, or never reached the queue. */
const abandonedMs = 5 * 60_000;
const atOnce = 100;

/**
 * Reads a closed episode with a slow extractor. Idempotent. Throws errors that a later attempt may overcome; after the
 * last attempt the episode keeps the event it got when it was closed.
 */
export async function extractEpisode(engine: Engine, ref: EpisodeRef, signal?: AbortSignal): Promise<void> {
  const caller = systemCaller(ref.tenantId, ref.userId, 'conversations.extract');
  const episode = await begin(engine, caller, ref.eventId);
  if (episode === undefined) return;
  try {
    await extract(engine, caller, episode, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!wasLastTry(error, episode.attempts)) throw error;
    await saveStatus(engine, caller, { ...episode, status: 'failed' });
    engine.onFault(error, 'reading an episode');
  }
}

/** Ends an episode as failed whose worker died each time. It keeps the event it got when it was closed. */
export async function giveUpEpisode(engine: Engine, { tenantId, userId, eventId }: EpisodeRef): Promise<void> {
  const caller = systemCaller(tenantId, userId, 'conversations.extract');
  const episode = await engine.store.read(scopeOf(caller), (tables) => tables.episodes.get(eventId));
  if (episode?.status === 'waiting') await saveStatus(engine, caller, { ...episode, status: 'failed' });
}

/** Returns a tenant's waiting episodes that nobody is processing, oldest first. */
export async function abandonedEpisodes(engine: Engine, tenantId: string): Promise<EpisodeRef[]> {
  const since = new Date(engine.clock.now().getTime() - abandonedMs);
  const waiting = await engine.store.inspect(tenantId, (tables) => tables.episodes.waiting(since, atOnce));
  return waiting.map(({ userId, eventId }) => ({ tenantId, userId, eventId }));
}

function begin(engine: Engine, caller: Caller, eventId: string): Promise<Episode | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const episode = await tables.episodes.get(eventId);
    if (episode?.status !== 'waiting') return { result: undefined, mutations: [] };
    const begun = { ...episode, attempts: episode.attempts + 1, updatedAt: now };
    tables.episodes.put(begun);
    return { result: begun, mutations: [] };
  });
}

function saveStatus(engine: Engine, caller: Caller, episode: Episode): Promise<void> {
  return mutate(engine, caller, async (tables, now) => {
    if ((await tables.episodes.get(episode.eventId)) !== undefined) tables.episodes.put({ ...episode, updatedAt: now });
    return { result: undefined, mutations: [] };
  });
}

async function extract(engine: Engine, caller: Caller, episode: Episode, signal?: AbortSignal): Promise<void> {
  const material = await readMaterial(engine, caller, episode);
  if (material === undefined) return saveStatus(engine, caller, { ...episode, status: 'done' });
  const { messages, known } = material;
  const { digest, facts } = await readEpisode(engine, caller, messages, known, signal);
  const summary = toEpisodeEvent(episode.eventId, episode, messages, digest);
  const event = await prepareEvent(engine, caller, summary, originOfEvidence(messages));
  const learned = await prepareFacts(engine, caller, facts, { place: episode, messages, known, isReadBefore: true });
  await mutate(engine, caller, async (tables, now) => {
    const current = await tables.episodes.get(episode.eventId);
    if (current?.status !== 'waiting') return { result: undefined, mutations: [] };
    tables.episodes.put({ ...episode, status: 'done', updatedAt: now });
    const present = await tables.artifacts.get({ kind: 'event', folder: '', name: episode.eventId });
    // Keep the event if someone changed or removed it in the meantime.
    const isAsClosed = present?.version === 1 && digest !== null;
    const told = isAsClosed ? [await storeEvent(tables, caller, event, now)] : [];
    return { result: undefined, mutations: [...told, ...(await storeFacts(tables, caller, learned, now))] };
  });
  noteStored(engine, caller, event.indexed);
  noteStored(engine, caller, learned.prepared);
}

/** Returns undefined if nothing is left of the episode. */
function readMaterial(
  engine: Engine,
  caller: Caller,
  { eventId }: Episode,
): Promise<{ messages: Memory[]; known: LearnedFact[] } | undefined> {
  const now = engine.clock.now();
  return engine.store.read(scopeOf(caller), async (tables) => {
    const artifact = await tables.artifacts.get({ kind: 'event', folder: '', name: eventId });
    if (artifact === undefined) return undefined;
    const { evidence } = fromEventArtifact(artifact);
    const ids = (evidence as { message_ids?: string[] } | undefined)?.message_ids ?? [];
    const [found, known] = await Promise.all([tables.memories.getMany(ids, now), learnedFacts(tables, caller, now)]);
    if (found.length === 0) return undefined;
    const places = new Map(ids.map((id, place) => [id, place]));
    const messages = found.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
    return { messages, known };
  });
}
