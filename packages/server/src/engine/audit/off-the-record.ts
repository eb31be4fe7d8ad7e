import { Problem } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { toAuditRecord } from './audit-record.js';

type Parts = Pick<Engine, 'store' | 'clock'>;
type Write = (work: (tables: Tables) => Promise<void>) => Promise<void>;

/** Ids that name nothing, for answers about what was not stored. */
export const nilId = '00000000-0000-0000-0000-000000000000';
export const nilUlid = '0'.repeat(26);

/** How the audit log names a session that is off the record or, without one, a call. */
export function unrecordedTarget(sessionId?: string): string {
  return sessionId === undefined ? 'off-the-record' : `off-the-record/${sessionId}`;
}

/**
 * Returns whether nothing that the call brought may be stored, because it asked for that or because the session is off the record.
 * If so, leaves the one audit record of the call, which has no content. Ask before anything is done with what the call brought.
 */
export async function isOffTheRecord(engine: Parts, caller: Caller, sessionId?: string | null): Promise<boolean> {
  const [isOff = false] = await findUnrecorded(engine, caller, [sessionId ?? undefined]);
  return isOff;
}

/** Does the same for several things, each with its session or without one. */
export async function findUnrecorded(
  engine: Parts,
  caller: Caller,
  sessionIds: readonly (string | undefined)[],
): Promise<boolean[]> {
  if (caller.offTheRecord?.isAsked) {
    await noteUnstored(engine, caller, { target: unrecordedTarget(), unstored: 'all' });
    return sessionIds.map(() => true);
  }
  const named = [...new Set(sessionIds.filter((id) => id !== undefined))];
  const off = named.length === 0 ? new Set<string>() : await sessionsAmong(engine, caller, named);
  const isOff = sessionIds.map((id) => id !== undefined && off.has(id));
  if (off.size > 0) {
    const target = unrecordedTarget(off.size === 1 ? [...off][0] : undefined);
    await noteUnstored(engine, caller, { target, unstored: isOff.every(Boolean) ? 'all' : 'some' });
  }
  return isOff;
}

/** Throws OFF_THE_RECORD if nothing that the call brought may be stored, for calls that can do nothing else. */
export async function refuseOffTheRecord(
  engine: Parts,
  caller: Caller,
  sessionId?: string | null,
  write?: Write,
): Promise<void> {
  if (write !== undefined && caller.offTheRecord?.isAsked) {
    await noteUnstored(engine, caller, { target: unrecordedTarget(), unstored: 'all' }, write);
  } else if (!(await isOffTheRecord(engine, caller, sessionId))) return;
  throw new Problem(
    'OFF_THE_RECORD',
    'Nothing was stored, because this is off the record, and this call can do nothing else. Leave it out, or make it on the record.',
  );
}

async function sessionsAmong({ store, clock }: Parts, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
  const found = await store.read(scopeOf(caller), (tables) => tables.unrecordedSessions.among(ids, clock.now()));
  return new Set(found.map(({ sessionId }) => sessionId));
}

async function noteUnstored(
  { store, clock }: Parts,
  caller: Caller,
  { target, unstored }: { target: string; unstored: 'some' | 'all' },
  write: Write = (work) => store.write(scopeOf(caller), work),
): Promise<void> {
  const { offTheRecord: call } = caller;
  if (call !== undefined && call.unstored !== 'nothing') return;
  const mutation = { target, preEtag: null, postEtag: null, contentHash: null, details: { off_the_record: true } };
  await write(async (tables) => tables.audit.append([toAuditRecord(caller, mutation, clock.now())]));
  if (call !== undefined) call.unstored = unstored;
}
