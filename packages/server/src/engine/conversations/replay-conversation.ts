import { type Json, Problem } from '@memhall/core';
import type { Extraction } from '../../ports/extractor.js';
import { ExtractorError } from '../../ports/extractor-error.js';
import type { Replay } from '../../ports/replays.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import { applyOrKeep } from './apply-or-keep.js';
import { factsToPatches } from './facts-to-patches.js';
import { wasLastTry } from './last-try.js';
import { knownAttributes } from './proposed-lessons.js';
import type { DocumentView } from './proposed-patch.js';
import { type ReplayMaterial, readMaterial } from './read-material.js';
import { snapshotUri } from './snapshot.js';
import { writeDigest } from './write-digest.js';

export interface ReplayRef {
  tenantId: string;
  userId: string;
  replayId: string;
}

/**
 * Extracts what is worth remembering from a conversation and writes it like any other writer: a digest as an event, and
 * patches of documents with evidence and confidence. Idempotent. Throws errors that a later attempt may overcome.
 */
export async function replayConversation(engine: Engine, ref: ReplayRef, signal?: AbortSignal): Promise<void> {
  const caller = callerOf(ref);
  const replay = await begin(engine, caller, ref.replayId);
  if (replay === undefined) return;
  try {
    const outcome = await run(engine, caller, replay, signal);
    await saveStatus(engine, caller, { ...replay, status: 'completed', outcome, error: null });
  } catch (error) {
    if (signal?.aborted) throw error;
    const isFinal = wasLastTry(error, replay.attempts);
    await saveStatus(engine, caller, { ...replay, status: isFinal ? 'failed' : 'queued', error: describe(error) });
    if (!isFinal) throw error;
    engine.onFault(error, 'replaying a conversation');
  }
}

/** Ends a replay as failed whose worker died each time, so that nobody starts it again but an operator. */
export async function giveUpReplay(engine: Engine, ref: ReplayRef): Promise<void> {
  const caller = callerOf(ref);
  const replay = await getReplay(engine, caller, ref.replayId);
  if (replay === undefined || replay.status === 'completed' || replay.status === 'failed') return;
  const error = 'The process that read the conversation ended each time before it was done.';
  await saveStatus(engine, caller, { ...replay, status: 'failed', error });
}

function callerOf({ tenantId, userId, replayId }: ReplayRef): Caller {
  return { ...systemCaller(tenantId, userId, 'conversations.replay'), requestId: replayId };
}

/**
 * Running replays are started again too: their worker is gone, or else repeating its work is harmless. Only an operator
 * starts a failed one again.
 */
function begin(engine: Engine, caller: Caller, replayId: string): Promise<Replay | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const replay = await tables.replays.get(replayId);
    if (replay === undefined || replay.status === 'completed') return { result: undefined, mutations: [] };
    const attempts = replay.status === 'failed' ? 1 : replay.attempts + 1;
    const begun: Replay = { ...replay, status: 'running', attempts, updatedAt: now, finishedAt: null };
    tables.replays.put(begun);
    return { result: begun, mutations: [] };
  });
}

function saveStatus(engine: Engine, caller: Caller, replay: Replay): Promise<void> {
  const { status } = replay;
  const isOver = status === 'completed' || status === 'failed';
  if (isOver) engine.telemetry.countReplay(status);
  return mutate(engine, caller, async (tables, now) => {
    // Do not store anything again if the user was erased in the meantime.
    const present = await tables.replays.get(replay.replayId);
    if (present !== undefined) tables.replays.put({ ...replay, updatedAt: now, finishedAt: isOver ? now : null });
    return { result: undefined, mutations: [] };
  });
}

async function run(
  engine: Engine,
  caller: Caller,
  replay: Replay,
  signal: AbortSignal | undefined,
): Promise<{ [key: string]: Json }> {
  const material = await readMaterial(engine, caller, replay, signal);
  const extraction = await extract(engine, caller, material, signal);
  const uri = snapshotUri({ ...caller, ...replay });
  const { patches, refused } = factsToPatches(material.profile, material.views, extraction, {
    conversationId: replay.conversationId,
    snapshotUri: uri,
    saidAt: (messageIds) => saidAt(material, messageIds, engine.clock.now()),
  });
  const counts = { applied: 0, redirected: 0, unresolved: 0 };
  const written = new Map<DocumentView, GovernedDocument>();
  for (const patch of patches) {
    signal?.throwIfAborted();
    counts[await applyOrKeep(engine, caller, replay, patch, written)] += 1;
  }
  const told = await writeDigest(engine, caller, replay, { material, ...extraction });
  return {
    extractor: engine.extractor?.name ?? null,
    event_id: told.eventId,
    digest_superseded: told.superseded,
    facts_proposed: extraction.facts.length,
    facts_confirmed: extraction.confirmed.length,
    facts_refused: refused,
    patches_applied: counts.applied,
    patches_redirected: counts.redirected,
    patches_unresolved: counts.unresolved,
  };
}

function saidAt({ messages }: ReplayMaterial, messageIds: readonly string[], now: Date): Date {
  const times = messages
    .filter(({ id, timestamp }) => timestamp !== undefined && messageIds.includes(id))
    .map(({ timestamp }) => Date.parse(timestamp ?? ''));
  return times.length === 0 ? now : new Date(Math.min(now.getTime(), Math.max(...times)));
}

async function extract(
  engine: Engine,
  caller: Caller,
  { messages, known }: ReplayMaterial,
  signal: AbortSignal | undefined,
): Promise<Extraction> {
  if (engine.extractor === null) return { digest: null, facts: [], confirmed: [] };
  const attributes = [...(await knownAttributes(engine, caller)).keys()];
  return engine.extractor.extract({ messages, known, attributes }, { signal });
}

/** Returns a description that contains nothing of the conversation. */
function describe(error: unknown): string {
  if (error instanceof Problem || error instanceof ExtractorError) return error.message.slice(0, 500);
  return 'An internal error; see the log under the id of the replay.';
}

/** Returns the state of a replay; undefined if there is none with this id. */
export function getReplay(engine: Engine, caller: Caller, replayId: string): Promise<Replay | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.replays.get(replayId));
}
