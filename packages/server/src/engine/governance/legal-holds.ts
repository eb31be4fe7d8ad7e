import { Problem } from '@memhall/core';
import type { LegalHold } from '../../ports/legal-holds.js';
import { contentHash } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

type LegalHoldInput = Pick<LegalHold, 'name' | 'userIds' | 'reason'>;

/** Throws LEGAL_HOLD if there are any holds. */
export function refuseIfHeld(holds: readonly string[]): void {
  if (holds.length === 0) return;
  throw new Problem('LEGAL_HOLD', `The legal hold ${holds[0]} forbids this, so nothing was removed.`, {
    details: { legal_holds: [...holds] },
  });
}

/** Puts a hold on users, replacing any hold of the same name. Once it resolves, no erasure of their data is running. */
export function putLegalHold(
  engine: Engine,
  caller: Caller,
  { name, userIds, reason }: LegalHoldInput,
): Promise<{ hold: LegalHold; isNew: boolean }> {
  const ids = userIds && [...new Set(userIds)].sort();
  return mutateTenant<{ hold: LegalHold; isNew: boolean }>(engine, caller, async (tables, now) => {
    tables.legalHolds.lock();
    const present = await tables.legalHolds.get(name);
    const hold = { name, userIds: ids, reason, createdAt: present?.createdAt ?? now, updatedAt: now };
    if (present !== undefined && hashOf(present) === hashOf(hold)) {
      return { result: { hold: present, isNew: false }, mutations: [] };
    }
    tables.legalHolds.put(hold);
    const mutation = { target: targetOf(name), preEtag: null, postEtag: null, contentHash: hashOf(hold) };
    return { result: { hold, isNew: present === undefined }, mutations: [mutation] };
  });
}

/** Returns whether there was a hold of this name. */
export function deleteLegalHold(engine: Engine, caller: Caller, name: string): Promise<boolean> {
  return mutateTenant(engine, caller, async (tables) => {
    tables.legalHolds.lock();
    if ((await tables.legalHolds.get(name)) === undefined) return { result: false, mutations: [] };
    tables.legalHolds.delete(name);
    const mutation = { target: targetOf(name), preEtag: null, postEtag: null, contentHash: null };
    return { result: true, mutations: [mutation] };
  });
}

export function getLegalHold(engine: Engine, caller: Caller, name: string): Promise<LegalHold | undefined> {
  return engine.store.inspect(caller.tenantId, (tables) => tables.legalHolds.get(name));
}

/** Lists holds in order of name. */
export async function listLegalHolds(
  engine: Engine,
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<LegalHold>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
  const rows = await engine.store.inspect(caller.tenantId, (tables) =>
    tables.legalHolds.list({ after, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ name }) => [name]);
}

function targetOf(name: string): string {
  return `legal-holds/${name}`;
}

function hashOf({ userIds, reason }: Pick<LegalHold, 'userIds' | 'reason'>): string {
  return contentHash({ user_ids: userIds && [...userIds], reason });
}
