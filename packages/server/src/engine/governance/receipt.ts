import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@memhall/core';
import type { Counts } from '../../ports/erasure.js';
import type { Receipt } from '../../ports/receipts.js';
import type { Tables } from '../../ports/store.js';
import { toAuditRecord } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';

export interface FinishedReceipt extends Receipt {
  finishedAt: Date;
  hash: string;
}

export function receiptTarget(id: string): string {
  return `receipts/${id}`;
}

/** Returns the SHA-256 of the receipt's id, tenant, user, time and counts, hexadecimal. */
export function receiptHash(
  tenantId: string,
  { id, userId, finishedAt, counts }: Omit<FinishedReceipt, 'hash' | 'startedAt'>,
): string {
  const hashed = { id, tenant_id: tenantId, user_id: userId, time: finishedAt.toISOString(), counts: { ...counts } };
  return createHash('sha256').update(canonicalJson(hashed)).digest('hex');
}

/**
 * Stores a finished receipt and records it in the tenant's own chain, which erasing a user does not remove.
 * @param removals members of the record that explain, signed, what is missing from the audit log
 */
export function issueReceipt(
  tables: Tables,
  caller: Caller,
  made: Omit<FinishedReceipt, 'hash'>,
  removals: { signed_removals?: Json[] },
): FinishedReceipt {
  const receipt = { ...made, hash: receiptHash(caller.tenantId, made) };
  tables.receipts.put(receipt);
  const mutation = {
    target: receiptTarget(receipt.id),
    preEtag: null,
    postEtag: null,
    contentHash: receipt.hash,
    details: { erased_user_id: receipt.userId, counts: { ...receipt.counts }, ...removals },
  };
  tables.receipts.record(toAuditRecord({ ...caller, userId: '' }, mutation, receipt.finishedAt));
  return receipt;
}

export function addCounts(one: Counts, other: Counts): Counts {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...kinds].map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]));
}

export function isNothing(counts: Counts): boolean {
  return Object.values(counts).every((count) => count === 0);
}
