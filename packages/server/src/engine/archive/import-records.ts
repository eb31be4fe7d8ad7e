import type { ArchiveRecord } from '../../ports/archive.js';
import type { Store } from '../../ports/store.js';

export interface ImportReport {
  /** Of the archive; each is one of the following. */
  records: number;
  added: number;
  /** The same was there already. */
  present: number;
  /** For whoever reads the archive: it belongs to somebody else. */
  leftOut: number;
}

/** A transaction's share: long enough to be quick, short enough that an embedded database holds nobody up. */
const maxRecords = 128;
const maxChars = 512 * 1024;

/**
 * Restores records, batch by batch. What was restored before stays, so an import that was cut off is finished by another. Throws
 * CONFLICT where something else is in a record's place; what came before stays then, too.
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

/** Consecutive records of one owner. */
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
