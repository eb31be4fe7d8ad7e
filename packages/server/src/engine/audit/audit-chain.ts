import { createHash } from 'node:crypto';
import type { AuditHead, ChainEnd, ChainedRecord } from '../../ports/audit-log.js';
import { type ExplainedRecord, UnexplainedRecords } from './erased-records.js';

export interface ChainFault {
  seq: bigint;
  /**
   * missing: a sequence number has no record. altered: the hash does not match. head: the chain does not end where its head says.
   * cut: the chain does not start at its first record, and none of its records mentions the cut.
   */
  kind: 'missing' | 'altered' | 'head' | 'cut';
}

const genesis = Buffer.alloc(32);

function nextHash(previous: Buffer, seq: bigint, record: string): Buffer {
  return createHash('sha256').update(previous).update(`${seq}\n${record}`).digest();
}

/** Returns the record member that mentions a cut. The record comes later in the same chain. */
export function cutDetails(cut: ChainEnd | null): { audit_cut?: { seq: number; hash: string } } {
  return cut === null ? {} : { audit_cut: { seq: Number(cut.seq), hash: cut.hash.toString('hex') } };
}

/**
 * Walks one chain page by page, from its beginning or from where it was cut. Stops at a gap, since whatever follows proves
 * nothing. Swapped records show as altered, since each hash covers the previous hash and the record's own position. A record
 * whose content was erased has another text than the one that was hashed; a later record has to say so, with both hashes.
 */
export class ChainWalker {
  readonly #cut: ChainEnd | null;
  #isCutRecorded: boolean;
  #seq: bigint;
  #hash: Buffer;
  /** Erased records whose erasure a later record explains. */
  readonly explained: ExplainedRecord[] = [];
  readonly #unexplained = new UnexplainedRecords((explained) => this.explained.push(explained));

  constructor(cut: ChainEnd | null = null) {
    this.#cut = cut;
    this.#isCutRecorded = cut === null;
    this.#seq = cut?.seq ?? 0n;
    this.#hash = cut?.hash ?? genesis;
  }

  get seq(): bigint {
    return this.#seq;
  }

  /** Number of records walked. */
  get count(): bigint {
    return this.#seq - (this.#cut?.seq ?? 0n);
  }

  walk(records: Iterable<ChainedRecord>): ChainFault | undefined {
    for (const { seq, record, hash } of records) {
      const expected = this.#seq + 1n;
      if (seq !== expected) return { seq: expected, kind: 'missing' };
      const own = nextHash(this.#hash, seq, record);
      this.#seq = seq;
      this.#hash = hash;
      if (!own.equals(hash)) {
        this.#unexplained.add({ seq, hash, presentHash: own });
        continue;
      }
      this.#unexplained.read({ seq, record });
      this.#isCutRecorded ||= mentionsCut(record, this.#cut);
    }
    return undefined;
  }

  /** Call after the last record, which must be the one that the head names. */
  finish(head: AuditHead): ChainFault | undefined {
    if (this.#seq < head.seq) return { seq: this.#seq + 1n, kind: 'missing' };
    const altered = this.#unexplained.first;
    if (altered !== undefined) return { seq: altered, kind: 'altered' };
    if (this.#seq !== head.seq || !this.#hash.equals(head.hash)) return { seq: head.seq, kind: 'head' };
    return this.#isCutRecorded ? undefined : { seq: this.#cut?.seq ?? 0n, kind: 'cut' };
  }
}

function mentionsCut(record: string, cut: ChainEnd | null): boolean {
  if (cut === null || !record.includes('"audit_cut"')) return false;
  const recorded = JSON.parse(record).audit_cut;
  return recorded?.seq === Number(cut.seq) && recorded?.hash === cut.hash.toString('hex');
}
