import type { ArchiveRecord } from '../../ports/archive.js';
import type { Store } from '../../ports/store.js';

export interface ImportReport {
  /** Records of the archive; each is counted in one of the following. */
  records: number;
  added: number;
  /** Already existed with the same content. */
  present: number;
  /** Only for reading: the record belongs to another user. */
  leftOut: number;
}

/** Size limit of one transaction: large enough to be fast, small enough not to block an embedded database. */
const maxRecords = 128;
const maxChars = 512 * 1024;

/**
 * Restores records batch by batch. Restored records stay, so an interrupted import can be completed by another one.
 * Throws CONFLICT if a different record exists in the place of one; the batches before it stay as well.
 */
export async function importRecords(
  store: Store,
  tenantId: string,
  records: AsyncIterable<ArchiveRecord>,
  onBatch: (report: ImportReport, batch: readonly ArchiveRecord[]) => void = () => undefined,
): Promise<ImportReport> {
  const report: ImportReport = { records: 0, added: 0, present: 0, leftOut: 0 };
  const onlyRead = new Set(store.archiveTypes.flatMap(({ name, isForReading }) => (isForReading ? [name] : [])));
  for await (const batch of toBatches(records)) {
    const restored = batch.filter(({ type }) => !onlyRead.has(type));
    const added = await restoreBatch(store, tenantId, restored);
    report.records += batch.length;
    report.added += added;
    report.present += restored.length - added;
    report.leftOut += batch.length - restored.length;
    onBatch(report, batch);
  }
  return report;
}

/** Groups consecutive records of one owner. */
async function* toBatches(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord[]> {
  let batch: ArchiveRecord[] = [];
  let chars = 0;
  for await (const record of records) {
    const full = batch.length >= maxRecords || chars + record.line.length > maxChars;
    if (batch.length > 0 && (full || record.userId !== batch[0]?.userId)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(record);
    chars += record.line.length;
  }
  if (batch.length > 0) yield batch;
}

function restoreBatch(store: Store, tenantId: string, batch: readonly ArchiveRecord[]): Promise<number> {
  return store.restore({ tenantId, userId: batch[0]?.userId || null }, async (tables) => {
    let added = 0;
    for (const type of store.archiveTypes) {
      const alike = batch.filter((record) => record.type === type.name);
      if (alike.length > 0) added += await tables.archive.restore(type, alike);
    }
    return added;
  });
}
