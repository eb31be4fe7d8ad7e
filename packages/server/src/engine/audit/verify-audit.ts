import type { AuditHead } from '../../ports/audit-log.js';
import type { Store } from '../../ports/store.js';
import { type ChainFault, ChainWalker } from './audit-chain.js';
import type { ErasedRecord } from './erased-records.js';

const pageSize = 1000;

interface AuditReport {
  chains: number;
  records: bigint;
  faults: (ChainFault & { tenantId: string; userId: string })[];
}

interface VerifyOptions {
  tenantId?: string | undefined;
  onProgress?: (done: bigint, total: bigint) => void;
  /** Called with each record whose erased content a later record of its chain explains. */
  onErased?: (record: ErasedRecord) => void;
}

/** Recomputes every chain, or only one tenant's. Safe to run concurrently with writes, retention and erasures. */
export async function verifyAudit(store: Store, options: VerifyOptions = {}): Promise<AuditReport> {
  const heads = await store.auditHeads(options.tenantId);
  const total = heads.reduce((sum, { seq, cut }) => sum + seq - (cut?.seq ?? 0n), 0n);
  const report: AuditReport = { chains: heads.length, records: 0n, faults: [] };
  for (const head of heads) {
    const { fault, seen, explained } = await verifyChain(store, head, (done) =>
      options.onProgress?.(report.records + done, total),
    );
    report.records += seen;
    const { tenantId, userId } = head;
    for (const one of explained) options.onErased?.({ tenantId, userId, ...one });
    if (fault !== undefined) report.faults.push({ ...fault, tenantId, userId });
  }
  return report;
}

/** Recomputes the chain of one user. There is no fault, and no record, if it does not exist. */
export async function verifyUserAudit(
  store: Store,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<{ records: bigint; fault: ChainFault | undefined }> {
  const head = await store.inspect(tenantId, (tables) => tables.audit.head(userId));
  if (head === undefined) return { records: 0n, fault: undefined };
  const { seen, fault } = await verifyChain(store, head, () => undefined);
  return { records: seen, fault };
}

/**
 * Writes continue during the check. Each step reads records first and then the head, so a sound head is never behind the records
 * of its own step, nor ahead of those of the next. If a chain is cut or started again during the check, the check starts again.
 * A chain that is gone has no fault.
 */
async function verifyChain(store: Store, known: AuditHead, onProgress: (done: bigint) => void) {
  let walker = new ChainWalker(known.cut);
  for (let head = known; ; ) {
    const range = { after: walker.seq, limit: pageSize };
    const [page, latest] = await store.inspect(head.tenantId, (tables) =>
      Promise.all([tables.audit.records(head.userId, range), tables.audit.head(head.userId)]),
    );
    if (latest === undefined) return { fault: undefined, seen: 0n, explained: [] };
    if (latest.seq < head.seq || latest.cut?.seq !== head.cut?.seq) {
      head = latest;
      walker = new ChainWalker(head.cut);
      continue;
    }
    const fault = walker.walk(page);
    onProgress(walker.count);
    const { explained } = walker;
    if (fault !== undefined) return { fault, seen: walker.count, explained };
    const settled = walker.seq < head.seq || walker.seq >= latest.seq;
    if (page.length < pageSize && settled) return { fault: walker.finish(latest), seen: walker.count, explained };
    head = latest;
  }
}
