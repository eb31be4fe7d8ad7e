import type { Counts } from '../../ports/erasure.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { listOuter, outerUsers } from '../outer/erase-outer.js';
import { type FinishedReceipt, receiptHash, receiptTarget } from './receipt.js';

export interface CheckedReceipt {
  receipt: FinishedReceipt;
  /** What is there although it is older than the erasure. */
  remaining: Counts;
  /** What was stored since. */
  newer: Counts;
  /** Nothing remains, and the receipt is the one that was issued. */
  isVerified: boolean;
}

/** Looks again whether what a receipt says is gone is gone. undefined: there is no such receipt. */
export function checkReceipt(engine: Engine, caller: Caller, id: string): Promise<CheckedReceipt | undefined> {
  return engine.store.inspect(caller.tenantId, async (tables) => {
    const found = await tables.receipts.get(id);
    if (found?.finishedAt == null || found.hash === null) return undefined;
    const receipt = { ...found, finishedAt: found.finishedAt, hash: found.hash };
    // From when it began, not from its end: what came in meanwhile and was stored after it has a time before that.
    const { before, since } = await tables.erasure.count(receipt.userId, receipt.startedAt);
    const isGenuine = receiptHash(caller.tenantId, receipt) === receipt.hash && (await isRecorded(tables, receipt));
    const remaining = await withBlobs(engine, caller.tenantId, receipt, { before, since });
    return { receipt, remaining, newer: since, isVerified: isGenuine && isNothing(remaining) };
  });
}

/** Blobs tell no time: as soon as something new was written, they may be of that. */
async function withBlobs(
  engine: Engine,
  tenantId: string,
  { userId }: FinishedReceipt,
  { before, since }: { before: Counts; since: Counts },
): Promise<Counts> {
  const { outer } = engine;
  if (outer === null || !isNothing(since)) return before;
  const users = userId === null ? await outerUsers(outer, tenantId) : [userId];
  let blobs = 0;
  // What the tenant has without a user is the copy of this very receipt.
  for (const owner of users) if (owner !== '') blobs += (await listOuter(outer, { tenantId, userId: owner })).length;
  return { ...before, blobs };
}

function isNothing(counts: Counts): boolean {
  return Object.values(counts).every((count) => count === 0);
}

/** The record goes with the rest when the whole tenant is erased later; that it is missing for no reason shows in its chain. */
async function isRecorded(tables: Tables, { id, hash }: FinishedReceipt): Promise<boolean> {
  const [record] = await tables.audit.list({ target: receiptTarget(id) }, { before: undefined, limit: 1 });
  return record === undefined || JSON.parse(record.record).content_sha256 === hash;
}
