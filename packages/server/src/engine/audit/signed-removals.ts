import { createHash } from 'node:crypto';
import { canonicalJson, isSigned, type Json, toStatement } from '@memhall/core';
import type { AuditKey } from '../../ports/audit-key.js';
import type { ChainEnd } from '../../ports/audit-log.js';
import type { Tables } from '../../ports/store.js';

/**
 * What was removed on purpose. Audit records name it under `signed_removals`, signed: the owner of the database can write any
 * record, but not the signature.
 */
export type Removal =
  /** Records of a chain, up to this number: cut by retention. */
  | { log: string; chain: string; up_to: number }
  /** A whole chain: its user was erased. */
  | { log: string; chain: string }
  /** The records of the first leaves of a log: its tenant was erased. */
  | { log: string; size: number }
  /** Content of records; SHA-256 of the record member that names them. */
  | { erased_sha256: string };

type Details = { signed_removals?: Json[] };

interface Owner {
  tenantId: string;
  userId: string;
}

/** Returns the record member that explains a cut. Records that have no leaf need no explanation. */
export async function cutRemovals(tables: Tables, key: AuditKey, owner: Owner, cut: ChainEnd | null): Promise<Details> {
  if (cut === null) return {};
  const chains = await tables.signedLog.chainsOf(owner.userId);
  const removals = chains.map(({ logId, chainId }) => ({ log: logId, chain: chainId, up_to: Number(cut.seq) }));
  return signRemovals(key, owner.tenantId, removals);
}

/** Returns the record member that explains the erasure of a user. Call it before the user's rows are removed. */
export async function userRemovals(tables: Tables, key: AuditKey, owner: Owner): Promise<Details> {
  const chains = await tables.signedLog.chainsOf(owner.userId);
  const removals = chains.map(({ logId, chainId }) => ({ log: logId, chain: chainId }));
  return signRemovals(key, owner.tenantId, removals);
}

/** Returns the record member that explains the erasure of a tenant. */
export async function tenantRemovals(tables: Tables, key: AuditKey, tenantId: string): Promise<Details> {
  const removals = (await tables.signedLog.logs()).map(({ logId, size }) => ({ log: logId, size }));
  return signRemovals(key, tenantId, removals);
}

/** Returns the record member that explains erased records, which `erased` names. */
export function contentRemovals(key: AuditKey, tenantId: string, erased: readonly Json[]): Details {
  return signRemovals(key, tenantId, [{ erased_sha256: hashOfErased(erased) }]);
}

function signRemovals(key: AuditKey, tenantId: string, removals: readonly Removal[]): Details {
  if (removals.length === 0) return {};
  return {
    signed_removals: removals.map((removal) => {
      const signature = key.sign(toRemovalStatement(tenantId, removal));
      return { ...removal, key: key.publicKey, signature };
    }),
  };
}

/** Returns the removals in a record that were signed with a trusted key. */
export async function readRemovals(
  record: string,
  tenantId: string,
  trustedKeys: readonly string[],
): Promise<Removal[]> {
  const named: unknown = JSON.parse(record).signed_removals;
  const trusted: Removal[] = [];
  for (const { key, signature, ...removal } of Array.isArray(named) ? named : []) {
    if (await isSigned(toRemovalStatement(tenantId, removal), { key, signature }, trustedKeys)) trusted.push(removal);
  }
  return trusted;
}

/** Returns whether the record explains with a trusted signature that it names erased records. */
export async function isErasureSigned(
  record: string,
  tenantId: string,
  trustedKeys: readonly string[],
): Promise<boolean> {
  const hash = hashOfErased(JSON.parse(record).erased_records);
  const removals = await readRemovals(record, tenantId, trustedKeys);
  return removals.some((removal) => 'erased_sha256' in removal && removal.erased_sha256 === hash);
}

function toRemovalStatement(tenant: string, removal: Removal): string {
  return toStatement('removal', { tenant, ...removal });
}

function hashOfErased(erased: readonly Json[]): string {
  return createHash('sha256')
    .update(canonicalJson([...erased]))
    .digest('hex');
}
