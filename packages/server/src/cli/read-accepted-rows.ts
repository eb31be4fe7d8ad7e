import { readFile } from 'node:fs/promises';
import { StartUpError } from '@memhall/core';
import { type AcceptedRow, AcceptedRows, differenceKinds } from '../engine/backfill/accepted-rows.js';

const members = new Set(['id', 'kind', 'reason']);

/** Reads the file of `--accepted`: a JSON list of `{"id", "kind"?, "reason"?}`. Throws StartUpError. */
export async function readAcceptedRows(path: string): Promise<AcceptedRows> {
  const refuse = (why: string) => new StartUpError(`The list of accepted rows, ${path}, ${why}.`);
  const list = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch((error: Error) => {
      throw refuse(`cannot be read: ${error.message}`);
    });
  if (!Array.isArray(list)) throw refuse('must be a JSON list');
  const ids = new Set<string>();
  for (const [index, entry] of list.entries()) {
    const fault = findFault(entry);
    if (fault !== undefined) throw refuse(`has an entry ${index + 1} that ${fault}`);
    const id = (entry as AcceptedRow).id.toLowerCase();
    if (ids.has(id)) throw refuse(`has two entries for ${id}`);
    ids.add(id);
  }
  return new AcceptedRows(list as AcceptedRow[]);
}

function findFault(entry: unknown): string | undefined {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return 'is not an object';
  const { id, kind, reason } = entry as Record<string, unknown>;
  const unknown = Object.keys(entry).find((name) => !members.has(name));
  if (unknown !== undefined) return `has an unknown member "${unknown}"`;
  if (typeof id !== 'string' || id === '') return 'has no "id"';
  if (kind !== undefined && !differenceKinds.some((known) => known === kind))
    return `has a "kind" other than ${differenceKinds.join(', ')}`;
  if (reason !== undefined && typeof reason !== 'string') return 'has a "reason" that is not a string';
  return undefined;
}
