import type { ArtifactOwner, ArtifactStore, StoredKey } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';

const pageSize = 500;
const nameLength = 15;

/** Consecutive audit records as the outer store keeps them. Copies may overlap: a record never changes once it is committed. */
export interface AuditCopy {
  firstSeq: bigint;
  records: readonly string[];
}

/** Names sort like the records they begin with. */
export function auditKey(firstSeq: bigint): StoredKey {
  return { kind: 'audit', folder: '', name: firstSeq.toString().padStart(nameLength, '0') };
}

/** undefined: no copy of ours has such a name. */
export function firstSeqOf(name: string): bigint | undefined {
  return name.length === nameLength && /^\d+$/.test(name) ? BigInt(name) : undefined;
}

/** One record to a line, byte for byte as it was hashed; the whole is JSON nevertheless. */
export async function putAuditCopy(store: ArtifactStore, owner: ArtifactOwner, copy: AuditCopy): Promise<void> {
  const text = `{"first_seq":${copy.firstSeq},"records":[\n${copy.records.join(',\n')}\n]}\n`;
  await store.put(owner, auditKey(copy.firstSeq), { text, facts: null });
}

/** Throws when the text is not as `putAuditCopy` wrote it. */
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
