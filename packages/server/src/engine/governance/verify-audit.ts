import type { AuditHead } from '../../ports/audit-log.js';
import type { Engine } from '../engine.js';
import { type ChainFault, ChainWalker } from './audit-chain.js';

const pageSize = 1000;

export interface AuditReport {
  chains: number;
  records: bigint;
  faults: (ChainFault & { tenantId: string; userId: string })[];
}

/** Recomputes every chain, or one tenant's. Safe beside writers: each chain is read up to the head seen first. */
export async function verifyAudit(
  engine: Engine,
  options: { tenantId?: string; onProgress?: (done: bigint, total: bigint) => void } = {},
): Promise<AuditReport> {
  const heads = await engine.store.auditHeads(options.tenantId);
  const total = heads.reduce((sum, head) => sum + head.seq, 0n);
  const report: AuditReport = { chains: heads.length, records: 0n, faults: [] };
  for (const head of heads) {
    const { fault, seen } = await verifyChain(engine, head, (seq) => options.onProgress?.(report.records + seq, total));
    report.records += seen;
    if (fault !== undefined) report.faults.push({ ...fault, tenantId: head.tenantId, userId: head.userId });
  }
  return report;
}

async function verifyChain(engine: Engine, head: AuditHead, onProgress: (seq: bigint) => void) {
  const walker = new ChainWalker();
  for (;;) {
    const range = { after: walker.seq, upTo: head.seq, limit: pageSize };
    const page = await engine.store.inspect(head.tenantId, (tables) => tables.audit.records(head.userId, range));
    const fault = walker.walk(page) ?? (page.length < pageSize ? walker.finish(head) : undefined);
    onProgress(walker.seq);
    if (fault !== undefined || page.length < pageSize) return { fault, seen: walker.seq };
  }
}
