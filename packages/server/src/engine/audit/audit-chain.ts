import { createHash } from 'node:crypto';
import type { AuditHead, ChainEnd, ChainedRecord } from '../../ports/audit-log.js';

export interface ChainFault {
  seq: bigint;
  /**
   * missing: a sequence number has no record. altered: the hash does not follow. head: the chain does not end where it should.
   * cut: it does not begin at its first record, and no record of it tells why.
   */
  kind: 'missing' | 'altered' | 'head' | 'cut';
}

const genesis = Buffer.alloc(32);

export function nextHash(previous: Buffer, seq: bigint, record: string): Buffer {
  return createHash('sha256').update(previous).update(`${seq}\n${record}`).digest();
}

/** Member of the record that tells of a cut; that record follows in the same chain. */
export function cutDetails(cut: ChainEnd | null): { audit_cut?: { seq: number; hash: string } } {
  return cut === null ? {} : { audit_cut: { seq: Number(cut.seq), hash: cut.hash.toString('hex') } };
}

/**
 * Walks one chain from its beginning, or from where it was cut, page by page, and stops at the first fault: what follows it
 * proves nothing. Swapped records show as altered, since each hash covers the one before it and its own place.
 */
export class ChainWalker {
  readonly #cut: ChainEnd | null;
  #isCutTold: boolean;
  #seq: bigint;
  #hash: Buffer;

  constructor(cut: ChainEnd | null = null) {
    this.#cut = cut;
    this.#isCutTold = cut === null;
    this.#seq = cut?.seq ?? 0n;
    this.#hash = cut?.hash ?? genesis;
  }

  get seq(): bigint {
    return this.#seq;
  }

  /** How many records it has passed. */
  get count(): bigint {
    return this.#seq - (this.#cut?.seq ?? 0n);
  }

  walk(records: Iterable<ChainedRecord>): ChainFault | undefined {
    for (const { seq, record, hash } of records) {
      const expected = this.#seq + 1n;
      if (seq !== expected) return { seq: expected, kind: 'missing' };
      const own = nextHash(this.#hash, seq, record);
      if (!own.equals(hash)) return { seq, kind: 'altered' };
      this.#seq = seq;
      this.#hash = own;
      this.#isCutTold ||= tellsOf(record, this.#cut);
    }
    return undefined;
  }

  /** After the last record there is: it must be the one that the head names. */
  finish(head: AuditHead): ChainFault | undefined {
    if (this.#seq < head.seq) return { seq: this.#seq + 1n, kind: 'missing' };
    if (this.#seq !== head.seq || !this.#hash.equals(head.hash)) return { seq: head.seq, kind: 'head' };
    return this.#isCutTold ? undefined : { seq: this.#cut?.seq ?? 0n, kind: 'cut' };
  }
}

function tellsOf(record: string, cut: ChainEnd | null): boolean {
  if (cut === null || !record.includes('"audit_cut"')) return false;
  const told = JSON.parse(record).audit_cut;
  return told?.seq === Number(cut.seq) && told?.hash === cut.hash.toString('hex');
}
