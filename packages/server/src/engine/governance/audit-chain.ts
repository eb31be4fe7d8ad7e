import { createHash } from 'node:crypto';
import type { AuditHead, ChainedRecord } from '../../ports/audit-log.js';

export interface ChainFault {
  seq: bigint;
  /** missing: a sequence number has no record. altered: the hash does not follow. head: the chain does not end where it should. */
  kind: 'missing' | 'altered' | 'head';
}

const genesis = Buffer.alloc(32);

export function nextHash(previous: Buffer, seq: bigint, record: string): Buffer {
  return createHash('sha256').update(previous).update(`${seq}\n${record}`).digest();
}

/**
 * Walks one chain from its beginning, page by page, and stops at the first fault: what follows it proves nothing.
 * Swapped records show as altered, since each hash covers the one before it and its own place.
 */
export class ChainWalker {
  #seq = 0n;
  #hash: Buffer = genesis;

  get seq(): bigint {
    return this.#seq;
  }

  walk(records: Iterable<ChainedRecord>): ChainFault | undefined {
    for (const { seq, record, hash } of records) {
      const expected = this.#seq + 1n;
      if (seq !== expected) return { seq: expected, kind: 'missing' };
      const own = nextHash(this.#hash, seq, record);
      if (!own.equals(hash)) return { seq, kind: 'altered' };
      this.#seq = seq;
      this.#hash = own;
    }
    return undefined;
  }

  /** After the last record there is: it must be the one that the head names. */
  finish(head: AuditHead): ChainFault | undefined {
    if (this.#seq < head.seq) return { seq: this.#seq + 1n, kind: 'missing' };
    return this.#seq === head.seq && this.#hash.equals(head.hash) ? undefined : { seq: head.seq, kind: 'head' };
  }
}
