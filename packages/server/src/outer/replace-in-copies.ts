import type { ArtifactOwner, ArtifactStore } from '../ports/artifact-store.js';
import { auditKey, firstSeqOf, parseAuditCopy, putAuditCopy } from './audit-copy.js';

/** Replaces the texts of records in every copy that has them. Copies may overlap, and their names say only where they begin. */
export async function replaceInCopies(
  blobs: ArtifactStore,
  owner: ArtifactOwner,
  texts: ReadonlyMap<bigint, string>,
): Promise<void> {
  const firstSeqs: bigint[] = [];
  for await (const { name } of blobs.list(owner, 'audit')) {
    const firstSeq = firstSeqOf(name);
    if (firstSeq !== undefined) firstSeqs.push(firstSeq);
  }
  for (const firstSeq of firstSeqs) {
    const stored = await blobs.get(owner, auditKey(firstSeq));
    if (stored === undefined) continue;
    const { records } = parseAuditCopy(stored.text);
    const replaced = records.map((record, index) => texts.get(firstSeq + BigInt(index)) ?? record);
    if (replaced.some((record, index) => record !== records[index])) {
      await putAuditCopy(blobs, owner, { firstSeq, records: replaced });
    }
  }
}
