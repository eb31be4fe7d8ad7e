import type { AuditHead } from '../../ports/audit-log.js';
import type { Store } from '../../ports/store.js';
import { type ChainFault, ChainWalker } from './audit-chain.js';

const pageSize = 1000;

export interface AuditReport {
  chains: number;
  records: bigint;
  faults: (ChainFault & { tenantId: string; userId: string })[];
}

/** Recomputes every chain, or one tenant's. Safe beside writers. */
export async function verifyAudit(
  store: Store,
  options: { tenantId?: string; onProgress?: (done: bigint, total: bigint) => void } = {},
): Promise<AuditReport> {
  const heads = await store.auditHeads(options.tenantId);
  const total = heads.reduce((sum, head) => sum + head.seq, 0n);
  const report: AuditReport = { chains: heads.length, records: 0n, faults: [] };
  for (const head of heads) {
    const { fault, seen } = await verifyChain(store, head, (seq) => options.onProgress?.(report.records + seq, total));
    report.records += seen;
    if (fault !== undefined) report.faults.push({ ...fault, tenantId: head.tenantId, userId: head.userId });
  }
  return report;
}

/**
 * Writers go on meanwhile. Each step reads records first and the head after them, so a sound head is never behind the
 * records of its own step nor ahead of those of the next.
 */
async function verifyChain(store: Store, known: AuditHead, onProgress: (seq: bigint) => void) {
  const walker = new ChainWalker();
  for (let head = known; ; ) {
    const range = { after: walker.seq, limit: pageSize };
    const [page, latest = known] = await store.inspect(head.tenantId, (tables) =>
      Promise.all([tables.audit.records(head.userId, range), tables.audit.head(head.userId)]),
    );
    const fault = walker.walk(page);
    onProgress(walker.seq);
    if (fault !== undefined) return { fault, seen: walker.seq };
    const settled = walker.seq < head.seq || walker.seq >= latest.seq;
    if (page.length < pageSize && settled) return { fault: walker.finish(latest), seen: walker.seq };
    head = latest;
  }
}
