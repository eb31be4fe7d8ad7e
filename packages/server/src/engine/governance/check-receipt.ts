import type { Counts } from '../../ports/erasure.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type FinishedReceipt, isNothing, receiptHash, receiptTarget } from './receipt.js';

export interface CheckedReceipt {
  receipt: FinishedReceipt;
  /** Rows and blobs that are older than the erasure but still there. */
  remaining: Counts;
  /** Rows that were stored after the erasure. */
  newer: Counts;
  /** True if nothing remains and the receipt is the one that was issued. */
  isVerified: boolean;
}

/** Checks that everything a receipt lists is gone. Returns undefined if there is no such receipt. */
export function checkReceipt(engine: Engine, caller: Caller, id: string): Promise<CheckedReceipt | undefined> {
  return engine.store.inspect(caller.tenantId, async (tables) => {
    const found = await tables.receipts.get(id);
    if (found?.finishedAt == null || found.hash === null) return undefined;
    const receipt = { ...found, finishedAt: found.finishedAt, hash: found.hash };
    // Counts from the start of the erasure, not from its end: requests that came in during it have a time before its end.
    const { before: remaining, since } = await tables.erasure.count(receipt.userId, receipt.startedAt);
    const isGenuine = receiptHash(caller.tenantId, receipt) === receipt.hash && (await isRecorded(tables, receipt));
    return { receipt, remaining, newer: since, isVerified: isGenuine && isNothing(remaining) };
  });
}

/** A later erasure of the whole tenant removes the record too. If it is missing for any other reason, its chain is broken. */
async function isRecorded(tables: Tables, { id, hash }: FinishedReceipt): Promise<boolean> {
  const [record] = await tables.audit.list({ target: receiptTarget(id) }, { before: undefined, limit: 1 });
  return record === undefined || JSON.parse(record.record).content_sha256 === hash;
}
