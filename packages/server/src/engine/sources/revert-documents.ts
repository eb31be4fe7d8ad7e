import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import type { Caller } from '../caller.js';
import type { DocumentRecord } from '../documents/document-record.js';
import { type StuckPatch, type TakenBack, takeBackVersions } from '../documents/take-back-versions.js';
import type { Engine } from '../engine.js';
import { surfaceOf } from '../operation-surface.js';
import { writerOf } from '../writer-of.js';
import type { RevertCounts } from './revert-counts.js';
import type { Reverting } from './revert-user.js';

/** Takes back what the source changed in a document. What cannot be taken back waits for a decision, as unresolved patches. */
export async function revertDocument(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  { filter, revertId, isTrial }: Reverting,
): Promise<Partial<RevertCounts>> {
  const { author, surface, from, to } = filter;
  const isTaken = ({ actor, operation, at }: DocumentRecord) => {
    const isReplay =
      actor.user_id === null && actor.service_id === 'memhall' && /^(?:conversations|replays)\./.test(operation);
    const { user_id: userId, service_id: serviceId, roles, is_service: isService } = actor;
    const writer = isReplay ? caller.userId : writerOf({ userId, serviceId, roles, isService }, caller.userId);
    const moment = new Date(at);
    return (
      writer === author &&
      (surface === undefined || surfaceOf(operation) === surface) &&
      (from === undefined || moment >= from) &&
      (to === undefined || moment < to)
    );
  };
  const taken = await takeBack(engine, caller, place, { isTaken, revertId, isTrial });
  return { patches: taken.patches, unresolved: taken.stuck.length };
}

/** Takes back the version that a revert added. */
export async function restoreDocument(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  { version, revertId }: { version: number; revertId: string },
): Promise<Partial<RevertCounts>> {
  const isTaken = ({ document_version }: DocumentRecord) => document_version === version;
  const taken = await takeBack(engine, caller, place, { isTaken, revertId: `${revertId}-undo`, isTrial: false });
  return { patches: taken.patches, unresolved: taken.stuck.length };
}

function takeBack(
  engine: Engine,
  caller: Caller,
  { namespace, path }: DocumentPlace,
  { isTaken, revertId, isTrial }: { isTaken(record: DocumentRecord): boolean; revertId: string; isTrial: boolean },
): Promise<TakenBack> {
  const place = { namespace, path };
  const alongside = (tables: Tables, { version, stuck }: TakenBack, now: Date) => {
    const patches = stuck.map((one) => toUnresolved(caller, place, one, revertId, now));
    for (const patch of patches) tables.unresolvedPatches.put(patch);
    const unresolved = patches.map(({ patchId }) => patchId);
    tables.sourceReverts.keepDocument(revertId, { ...place, version, unresolved }, now);
    return [];
  };
  return takeBackVersions(engine, caller, place, { isTaken, reason: 'source_reverted', isTrial, alongside });
}

function toUnresolved(
  { userId }: Caller,
  place: DocumentPlace,
  { record, ops }: StuckPatch,
  revertId: string,
  now: Date,
): UnresolvedPatch {
  const key = `${revertId}/${place.namespace}/${place.path}/${record.document_version}`;
  return {
    ...place,
    patchId: `unp_${revertId}-${record.document_version}`,
    userId,
    replayId: revertId,
    profileId: record.profile_id,
    bindingId: record.binding_id,
    baseVersion: record.document_version,
    ops,
    confidence: 1,
    evidence: { reverted_version: record.document_version },
    idempotencyKey: key,
    status: 'review',
    attempts: 1,
    problemCode: 'ETAG_MISMATCH',
    problem: 'Others changed the same place since, so this part of the source could not be taken back.',
    nextAttemptAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
