import type { ArchiveRecord } from '../../ports/archive.js';
import type { AuditHead, ChainEnd } from '../../ports/audit-log.js';
import { type ChainFault, ChainWalker } from '../audit/audit-chain.js';
import { invalid } from './read-archive.js';

/** Reads all records and verifies the audit chains among them. Throws INVALID_REQUEST at the first fault. */
export async function verifyRecords(
  records: AsyncIterable<ArchiveRecord>,
  tenantId: string,
  onRecord: (record: ArchiveRecord) => void = () => undefined,
): Promise<void> {
  let chain: { head: AuditHead; walker: ChainWalker } | undefined;
  let cut: (ChainEnd & { userId: string }) | undefined;
  const finish = () => {
    if (chain !== undefined) refuse(chain.walker.finish(chain.head), chain.head);
    chain = undefined;
  };
  for await (const record of records) {
    const { type, userId = '', row } = record;
    onRecord(record);
    if (type === 'audit_cut') {
      cut = { userId, ...toEnd(row) };
    } else if (type === 'audit_head') {
      finish();
      const beginning = cut?.userId === userId ? cut : null;
      chain = { head: { tenantId, userId, ...toEnd(row), cut: beginning }, walker: new ChainWalker(beginning) };
    } else if (type === 'audit_record') {
      if (chain?.head.userId !== userId)
        throw invalid(`it has audit records of ${userId || 'the tenant'} without the head of their chain`);
      refuse(chain.walker.walk([{ ...toEnd(row), record: String(row.record) }]), chain.head);
    }
  }
  finish();
}

function refuse(fault: ChainFault | undefined, { userId }: AuditHead): void {
  if (fault === undefined) return;
  throw invalid(`the audit chain of ${userId || 'the tenant'} is broken at record ${fault.seq} (${fault.kind})`);
}

function toEnd({ seq, hash }: ArchiveRecord['row']): ChainEnd {
  const digits = /^\\x([0-9a-f]{64})$/.exec(String(hash))?.[1] ?? '';
  return { seq: BigInt(Number.isSafeInteger(seq) ? Number(seq) : 0), hash: Buffer.from(digits, 'hex') };
}
