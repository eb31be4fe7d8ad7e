import { StartUpError } from '@memhall/core';
import type { UnfitItem } from '../../ports/foreign-memories.js';
import type { ForeignFile, ForeignFiles } from './foreign-files.js';
import { type JsonRecord, readJsonRecords } from './json-records.js';

/** A record with where it is. */
export interface PlacedRecord extends JsonRecord {
  file: ForeignFile;
  place: string;
}

type Form = 'whole' | 'lines';

/** Returns the files to read: the one that was named, or those that `isWanted`. Throws StartUpError if there is none. */
export function chooseFiles({ kind, files }: ForeignFiles, isWanted: (name: string) => boolean, wanted: string) {
  if (kind === 'file') return files;
  const chosen = files.filter(({ name }) => isWanted(name));
  if (chosen.length > 0) return chosen;
  throw new StartUpError(`There is no ${wanted} in it. Name the file or the folder that the tool exported.`);
}

export function isJson(name: string): boolean {
  return /\.(?:jsonl?|ndjson)$/i.test(name);
}

/** Reads files of JSON, and of JSON Lines by their names. What cannot be read is passed to the caller as an unfit item. */
export async function* readRecords(
  files: readonly ForeignFile[],
  formOf: (name: string) => Form = (name) => (/\.(?:jsonl|ndjson)$/i.test(name) ? 'lines' : 'whole'),
): AsyncGenerator<PlacedRecord | UnfitItem> {
  for (const file of files) {
    const form = formOf(file.name);
    for await (const record of readJsonRecords(file.name, file.read(), form)) {
      const { under, number, fault } = record;
      const place = `${file.name}, ${form === 'lines' ? 'line' : under === '' ? 'item' : under} ${number}`;
      if (fault !== undefined) yield { type: 'unfit', place, reason: fault };
      else yield { ...record, file, place };
    }
  }
}

export function isUnfit(item: object): item is UnfitItem {
  return 'type' in item && item.type === 'unfit';
}
