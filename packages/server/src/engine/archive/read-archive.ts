import { isId, Problem } from '@memhall/core';
import type { ArchiveRecord, ArchiveType } from '../../ports/archive.js';
import { type ArchiveHeader, ArchiveTally, archiveFormat, archiveVersion } from './archive-format.js';

interface ReadArchive {
  header: ArchiveHeader;
  records: AsyncGenerator<ArchiveRecord>;
}

/**
 * Reads an archive line by line. Throws INVALID_REQUEST, naming the line, at the first invalid one. Only after the last
 * line has been read is it known that nothing is missing or altered.
 */
export async function readArchive(lines: AsyncIterable<Buffer>, types: readonly ArchiveType[]): Promise<ReadArchive> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw invalid('it is empty');
  const header = toHeader(first.value);
  const tally = new ArchiveTally();
  tally.add(first.value);
  return { header, records: readRecords(iterator, types, tally) };
}

async function* readRecords(
  lines: AsyncIterator<Buffer>,
  types: readonly ArchiveType[],
  tally: ArchiveTally,
): AsyncGenerator<ArchiveRecord> {
  const known = new Map(types.map((type) => [type.name, { type, columns: new Set(['type', ...type.columns]) }]));
  for (let number = 2; ; number++) {
    const next = await lines.next();
    if (next.done) throw invalid('its last line is missing: it was cut off');
    const line = toText(next.value, number);
    const row = toRow(line, number);
    if (row.type === 'end') {
      if (!(await lines.next()).done) throw invalid(`there is data after its last line, line ${number}`);
      checkFooter(row, tally);
      return;
    }
    const found = known.get(String(row.type));
    const strange = found && Object.keys(row).find((column) => !found.columns.has(column));
    if (found === undefined || strange !== undefined) {
      const what = found === undefined ? `records of type ${JSON.stringify(row.type)}` : `a member ${strange}`;
      throw invalid(`line ${number} has ${what}, which this version does not know`);
    }
    const { type } = found;
    if (type.of === 'user' && typeof row.user_id !== 'string') throw invalid(`line ${number} does not name a user`);
    tally.add(next.value, type.name);
    yield { type: type.name, userId: type.of === 'user' ? String(row.user_id) : undefined, line, row };
  }
}

function toHeader(line: Buffer): ArchiveHeader {
  const header = toRow(toText(line, 1), 1) as unknown as Partial<ArchiveHeader>;
  if (header.format !== archiveFormat) throw invalid('it does not start like a Memhall export');
  if (header.version !== archiveVersion) {
    throw invalid(`it has version ${header.version} of the format; this version of Memhall reads ${archiveVersion}`);
  }
  const { tenant, user, master_key_ids: keys, created_at: createdAt } = header;
  const sound = isId(tenant ?? '') && (user === undefined || isId(user)) && Array.isArray(keys);
  if (!sound || Number.isNaN(Date.parse(createdAt ?? '')))
    throw invalid('its first line lacks the tenant, the creation time or the ids of the master keys');
  return header as ArchiveHeader;
}

function checkFooter({ counts, sha256 }: { counts?: unknown; sha256?: unknown }, tally: ArchiveTally): void {
  const own = tally.footer();
  if (sha256 !== own.sha256) throw invalid('its hash does not match: it was altered, or lines are missing');
  if (JSON.stringify(counts) !== JSON.stringify(own.counts)) throw invalid('its counts do not match');
}

function toText(line: Buffer, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    throw invalid(`line ${number} is not UTF-8`);
  }
}

function toRow(line: string, number: number): { [column: string]: unknown } {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    row = undefined;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw invalid(`line ${number} is not a JSON object`);
  return row as { [column: string]: unknown };
}

export function invalid(reason: string): Problem {
  return new Problem('INVALID_REQUEST', `The archive cannot be used: ${reason}.`);
}
