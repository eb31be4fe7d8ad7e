import { canonicalJson, type Json } from '@memhall/core';
import type { ReplacedRecord } from '../../ports/erasure.js';

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

/** Returns the record member that names replaced records. The record comes later in the same chain. */
export function erasedDetails(replaced: readonly ReplacedRecord[]): { erased_records: Json[] } {
  return {
    erased_records: replaced.map(({ seq, hash, presentHash }) => ({
      seq: Number(seq),
      hash: hash.toString('hex'),
      present_hash: presentHash.toString('hex'),
    })),
  };
}

/** Records whose text does not have the hash that the chain has for them, until a later record says that they were erased. */
export class UnexplainedRecords {
  readonly #hashes = new Map<number, string>();

  add({ seq, hash, presentHash }: ReplacedRecord): void {
    this.#hashes.set(Number(seq), hashesOf(hash.toString('hex'), presentHash.toString('hex')));
  }

  /** Reads a sound record of the chain. */
  read(record: string): void {
    if (this.#hashes.size === 0 || !record.includes('"erased_records"')) return;
    const named: unknown = JSON.parse(record).erased_records;
    for (const { seq, hash, present_hash } of Array.isArray(named) ? named : []) {
      if (this.#hashes.get(seq) === hashesOf(hash, present_hash)) this.#hashes.delete(seq);
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
