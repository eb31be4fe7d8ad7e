import { Problem, ulid } from '@memhall/core';
import type { RevocationKind, TokenRevocation } from '../../ports/token-revocations.js';
import { maintainTenant } from '../audit/maintain.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

type TokenEngine = Pick<Engine, 'store' | 'clock' | 'revokedTokens' | 'tokenMaxLifetimeMs'>;

/** Which tokens to revoke. */
export type RevokedWhat =
  /** `expiresAt`: when the token expires, if that is known. */
  | { tokenId: string; expiresAt?: Date | undefined }
  /** Without a user, the tokens of everybody in the tenant. `issuedBefore` is now by default. */
  | { userId: string | null; issuedBefore?: Date | undefined };

/** Clocks of other nodes may be behind, and a token is accepted for a few seconds after it expires. */
const marginMs = 60_000;
/** How long an undone revocation is kept, so that every node learns of it. */
const undoneMs = 3_600_000;

/**
 * Revokes tokens of the caller's tenant, on this node at once and on others within seconds. Revoking the same again extends it. Throws
 * INVALID_REQUEST.
 */
export async function revokeTokens(engine: TokenEngine, caller: Caller, what: RevokedWhat): Promise<TokenRevocation> {
  const revocation = await mutateTenant<TokenRevocation>(engine, caller, async (tables, now) => {
    const { kind, subject } = subjectOf(what);
    const present = await tables.tokenRevocations.find(kind, subject);
    const inForce = present?.undoneAt === null ? present : undefined;
    const issuedBefore = 'tokenId' in what ? null : later(inForce?.issuedBefore, checkPast(what.issuedBefore, now));
    const next: TokenRevocation = {
      id: present?.id ?? `rev_${ulid(now.getTime())}`,
      kind,
      subject,
      issuedBefore,
      expiresAt: expiryOf(engine, what, issuedBefore ?? now),
      createdAt: inForce?.createdAt ?? now,
      updatedAt: now,
      undoneAt: null,
    };
    tables.tokenRevocations.put(next);
    return { result: next, mutations: [toMutation(next)] };
  });
  await engine.revokedTokens.refresh();
  return revocation;
}

/** Makes revoked tokens valid again. Throws NOT_FOUND. */
export async function undoRevocation(engine: TokenEngine, caller: Caller, id: string): Promise<void> {
  await mutateTenant(engine, caller, async (tables, now) => {
    const present = await tables.tokenRevocations.get(id);
    if (present === undefined || present.undoneAt !== null) {
      throw new Problem('NOT_FOUND', 'The revocation does not exist, or was undone.');
    }
    const undone = { ...present, updatedAt: now, undoneAt: now };
    tables.tokenRevocations.put(undone);
    return { result: undefined, mutations: [toMutation(undone)] };
  });
  await engine.revokedTokens.refresh();
}

/** Lists the revocations in force, oldest first. */
export async function listRevocations(
  engine: Pick<Engine, 'store' | 'clock'>,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<TokenRevocation>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
  const rows = await engine.store.inspect(tenantId, (tables) =>
    tables.tokenRevocations.list({ now: engine.clock.now(), after, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ id }) => [id]);
}

/** Removes revocations whose tokens have all expired, or that were undone long ago. Returns how many. */
export function forgetOldRevocations(engine: Engine, tenantId: string): Promise<number> {
  const now = engine.clock.now();
  const undoneAt = new Date(now.getTime() - undoneMs);
  return maintainTenant(engine, tenantId, (tables) => tables.tokenRevocations.deleteOld({ expiredAt: now, undoneAt }));
}

function subjectOf(what: RevokedWhat): { kind: RevocationKind; subject: string } {
  if ('tokenId' in what) return { kind: 'token', subject: what.tokenId };
  return what.userId === null ? { kind: 'tenant', subject: '' } : { kind: 'user', subject: what.userId };
}

function checkPast(moment: Date | undefined, now: Date): Date {
  if (moment === undefined) return now;
  if (moment > now) throw new Problem('INVALID_REQUEST', 'issued_before must not be in the future.');
  return moment;
}

function later(one: Date | null | undefined, other: Date): Date {
  return one != null && one > other ? one : other;
}

/** Returns null if such a token may be valid for any time. */
function expiryOf({ tokenMaxLifetimeMs }: TokenEngine, what: RevokedWhat, issuedBefore: Date): Date | null {
  const known = 'tokenId' in what ? what.expiresAt?.getTime() : undefined;
  const bound = tokenMaxLifetimeMs === undefined ? undefined : issuedBefore.getTime() + tokenMaxLifetimeMs;
  const last = known ?? bound;
  return last === undefined ? null : new Date(last + marginMs);
}

function toMutation({ id, kind, subject, issuedBefore, undoneAt }: TokenRevocation) {
  return {
    target: `token-revocations/${id}`,
    preEtag: null,
    postEtag: null,
    contentHash: null,
    details: {
      token_revocation: {
        kind,
        ...(subject === '' ? {} : { subject }),
        ...(issuedBefore === null ? {} : { issued_before: issuedBefore.toISOString() }),
        undone: undoneAt !== null,
      },
    },
  };
}
