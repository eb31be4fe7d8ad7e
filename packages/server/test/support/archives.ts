import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { exportArchive } from '../../src/composition/export-archive.js';
import { importArchive } from '../../src/composition/import-archive.js';
import { ArchiveTally } from '../../src/engine/archive/archive-format.js';
import type { TestDatabase } from './databases.js';

const silent = pino({ level: 'silent' });
const onProgress = () => undefined;

export interface Archives {
  path(name: string): string;
  write(name: string, lines: readonly string[]): string;
  /** Writes the lines with a matching footer and returns the path. */
  sealed(name: string, lines: readonly string[]): string;
}

/** Creates a directory for the archives of a suite and removes it afterwards. */
export function useArchives(): Archives {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-archive-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const path = (name: string) => join(directory, name);
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(path(name), `${lines.join('\n')}\n`);
    return path(name);
  };
  return {
    path,
    write,
    sealed(name, lines) {
      const tally = new ArchiveTally();
      for (const [index, line] of lines.entries()) tally.add(line, index === 0 ? undefined : JSON.parse(line).type);
      return write(name, [...lines, JSON.stringify(tally.footer())]);
    },
  };
}

export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

/** Returns the records of an archive without its first and last line. */
// biome-ignore lint/suspicious/noExplicitAny: records are looked at, not typed
export function recordsOf(path: string): any[] {
  return linesOf(path)
    .slice(1, -1)
    .map((line) => JSON.parse(line));
}

export async function exportTo(
  database: TestDatabase,
  output: string,
  { tenantId = 't1', userId }: { tenantId?: string; userId?: string } = {},
): Promise<string> {
  await exportArchive(database.config(), silent, { tenantId, userId, output, onProgress });
  return output;
}

export function importFrom(database: TestDatabase, input: string, settings: Record<string, string> = {}) {
  return importArchive(database.config(settings), silent, { input, onProgress });
}
