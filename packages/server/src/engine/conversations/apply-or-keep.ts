import { createHash } from 'node:crypto';
import { Problem } from '@memhall/core';
import type { Replay } from '../../ports/replays.js';
import type { Caller } from '../caller.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import { applyReplayPatch, type ReplayPatch, unresolvedIdOf } from './apply-replay-patch.js';
import type { DocumentView, ProposedPatch } from './proposed-patch.js';
import { firstRetry, putUnresolved } from './unresolved.js';

const longestKey = 255;

/**
 * Applies a patch of a replay, or stores it as unresolved. `written` has the documents as earlier patches of the same
 * replay left them, and is updated.
 */
export async function applyOrKeep(
  engine: Engine,
  caller: Caller,
  replay: Replay,
  proposed: ProposedPatch,
  written: Map<DocumentView, GovernedDocument>,
): Promise<'applied' | 'redirected' | 'unresolved'> {
  const { view } = proposed;
  const patch = toReplayPatch(replay, proposed);
  const latest = written.get(view);
  try {
    const { document, redirected, replayed } = await applyReplayPatch(engine, caller, patch, {
      base: { etag: view.etag, content: view.body.content },
      latest: latest && { etag: latest.etag, content: latest.body.content },
    });
    if (!replayed) written.set(view, document);
    return redirected ? 'redirected' : 'applied';
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    await keep(engine, caller, replay, patch, error);
    return 'unresolved';
  }
}

function toReplayPatch(
  { replayId, profileId }: Replay,
  { view, role, ops, confidence, evidence, suffix }: ProposedPatch,
): ReplayPatch {
  const { bindingId } = view.binding;
  const document = `replay-${replayId}-${bindingId}-${view.place.path}`;
  return {
    ...view.place,
    profileId,
    bindingId,
    baseVersion: view.version,
    ops,
    confidence,
    evidence,
    idempotencyKey: toKey(`${document}-${role}${suffix}`),
    formerKey: toKey(`${document}${suffix}`),
  };
}

/** Shortens long keys. The end is replaced with a hash, because keys differ at the end. */
function toKey(text: string): string {
  if (text.length <= longestKey) return text;
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, longestKey - hash.length)}${hash}`;
}

function keep(
  engine: Engine,
  caller: Caller,
  { replayId }: Replay,
  { formerKey, ...patch }: ReplayPatch,
  problem: Problem,
): Promise<void> {
  const now = engine.clock.now();
  const unresolved = {
    ...patch,
    ...firstRetry(problem, now),
    patchId: unresolvedIdOf(patch.idempotencyKey),
    userId: caller.userId,
    replayId,
    attempts: 1,
    problemCode: problem.code,
    problem: problem.message,
    createdAt: now,
    updatedAt: now,
  };
  return putUnresolved(engine, caller, unresolved, formerKey === undefined ? [] : [unresolvedIdOf(formerKey)]);
}
