import type { ArtifactOwner, ArtifactStore, StoredKey } from '../ports/artifact-store.js';
import type { Tables } from '../ports/store.js';

const pageSize = 500;
const nameLength = 15;

/** Consecutive audit records in the outer store. Copies may overlap: a committed record never changes. */
export interface AuditCopy {
  firstSeq: bigint;
  records: readonly string[];
}

/** Names sort in the order of the records. */
export function auditKey(firstSeq: bigint): StoredKey {
  return { kind: 'audit', folder: '', name: firstSeq.toString().padStart(nameLength, '0') };
}

/** Returns undefined if the name is not one that Memhall gives. */
export function firstSeqOf(name: string): bigint | undefined {
  return name.length === nameLength && /^\d+$/.test(name) ? BigInt(name) : undefined;
}

/** Writes one record per line, byte for byte as it was hashed. The whole is valid JSON. */
export async function putAuditCopy(store: ArtifactStore, owner: ArtifactOwner, copy: AuditCopy): Promise<void> {
  const text = `{"first_seq":${copy.firstSeq},"records":[\n${copy.records.join(',\n')}\n]}\n`;
  await store.put(owner, auditKey(copy.firstSeq), { text, facts: null });
}

/** Throws if the text differs from what `putAuditCopy` wrote. */
export function parseAuditCopy(text: string): AuditCopy {
  const [opening = '', ...lines] = text.split('\n');
  const records = lines.slice(0, -2).map((line) => line.replace(/,$/, ''));
  const { first_seq, records: parsed } = JSON.parse(text) as { first_seq: number; records: unknown[] };
  if (opening !== `{"first_seq":${first_seq},"records":[` || parsed.length !== records.length) {
    throw new Error('a copy of audit records was altered');
  }
  return { firstSeq: BigInt(first_seq), records };
}

/** Copies the committed records above `after` up to `upTo`. */
export async function copyAudit(
  store: ArtifactStore,
  owner: ArtifactOwner,
  tables: Tables,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<void> {
  for (let seq = after; seq < upTo; ) {
    const page = await tables.audit.records(owner.userId, { after: seq, limit: pageSize });
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) return;
    const committed = page.filter((record) => record.seq <= upTo);
    await putAuditCopy(store, owner, { firstSeq: first.seq, records: committed.map(({ record }) => record) });
    seq = last.seq;
  }
}
