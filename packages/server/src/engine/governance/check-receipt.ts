import type { Counts } from '../../ports/erasure.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type FinishedReceipt, receiptHash, receiptTarget } from './receipt.js';

export interface CheckedReceipt {
  receipt: FinishedReceipt;
  /** What is there although it is older than the receipt. */
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
    const { before, since } = await tables.erasure.count(receipt.userId, receipt.finishedAt);
    const isGenuine = receiptHash(caller.tenantId, receipt) === receipt.hash && (await isRecorded(tables, receipt));
    const isGone = Object.values(before).every((count) => count === 0);
    return { receipt, remaining: before, newer: since, isVerified: isGenuine && isGone };
  });
}

/** The record may have gone with the rest when the whole tenant was erased later. */
async function isRecorded(tables: Tables, { id, hash }: FinishedReceipt): Promise<boolean> {
  const [record] = await tables.audit.list({ target: receiptTarget(id) }, { before: undefined, limit: 1 });
  if (record !== undefined) return JSON.parse(record.record).content_sha256 === hash;
  return (await tables.audit.head(''))?.cut != null;
}
