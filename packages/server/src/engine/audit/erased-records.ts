import { canonicalJson, type Json } from '@memhall/core';
import type { AuditKey } from '../../ports/audit-key.js';
import type { ChainedRecord } from '../../ports/audit-log.js';
import type { ReplacedRecord } from '../../ports/erasure.js';
import { contentRemovals } from './signed-removals.js';

/** Target of a record whose content was erased. */
const erasedTarget = 'erased';

/** The members that say who did what and when, without what it was done to. */
const keptMembers = ['version', 'at', 'tenant_id', 'user_id', 'actor', 'operation', 'request_id'] as const;

/** Returns the text that replaces a record whose content is erased. */
export function toErasedRecord(record: string, receiptId: string): string {
  const members = JSON.parse(record) as { [key: string]: Json };
  const kept = Object.fromEntries(keptMembers.map((name) => [name, members[name] ?? null]));
  const blank = { pre_etag: null, post_etag: null, content_sha256: null };
  return canonicalJson({ ...kept, ...blank, target: erasedTarget, erased_by: receiptId });
}

/** Returns the record members that name replaced records, signed. The record comes later in the same chain. */
export function erasedDetails(
  key: AuditKey,
  tenantId: string,
  replaced: readonly ReplacedRecord[],
): { erased_records: Json[]; signed_removals?: Json[] } {
  const erased = replaced.map(({ seq, hash, presentHash }) => ({
    seq: Number(seq),
    hash: hash.toString('hex'),
    present_hash: presentHash.toString('hex'),
  }));
  return { erased_records: erased, ...contentRemovals(key, tenantId, erased) };
}

/** An erased record, and the later record that explains the erasure. */
export interface ExplainedRecord {
  seq: number;
  /** Number of the record that explains it, and its text. */
  by: number;
  record: string;
}

/** The same, with the chain it is in. */
export interface ErasedRecord extends ExplainedRecord {
  tenantId: string;
  userId: string;
}

/** Records whose text does not have the hash that the chain has for them, until a later record says that they were erased. */
export class UnexplainedRecords {
  readonly #hashes = new Map<number, string>();
  readonly #onExplained: (explained: ExplainedRecord) => void;

  constructor(onExplained: (explained: ExplainedRecord) => void) {
    this.#onExplained = onExplained;
  }

  add({ seq, hash, presentHash }: ReplacedRecord): void {
    this.#hashes.set(Number(seq), hashesOf(hash.toString('hex'), presentHash.toString('hex')));
  }

  /** Reads a sound record of the chain. */
  read({ seq: by, record }: Pick<ChainedRecord, 'seq' | 'record'>): void {
    if (this.#hashes.size === 0 || !record.includes('"erased_records"')) return;
    const named: unknown = JSON.parse(record).erased_records;
    for (const { seq, hash, present_hash } of Array.isArray(named) ? named : []) {
      if (this.#hashes.get(seq) !== hashesOf(hash, present_hash)) continue;
      this.#hashes.delete(seq);
      this.#onExplained({ seq, by: Number(by), record });
    }
  }

  /** Returns the number of the first one; undefined if there is none. */
  get first(): bigint | undefined {
    const [seq] = this.#hashes.keys();
    return seq === undefined ? undefined : BigInt(seq);
  }
}

function hashesOf(hash: string, presentHash: string): string {
  return `${hash} ${presentHash}`;
}
