import { open } from 'node:fs/promises';
import { NotMeasured } from '../cases/case.js';
import type { StoredText } from './search-stored.js';

interface Sqlite {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => {
    prepare(sql: string): { all(): Record<string, unknown>[] };
    close(): void;
  };
}

/** Node has it since version 22.13; the types of version 20 do not know it. */
const sqliteModule = 'node:sqlite';

export async function isSqlite(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  try {
    const { buffer } = (await file?.read(Buffer.alloc(16), 0, 16, 0)) ?? {};
    return buffer?.toString('latin1') === 'SQLite format 3\0';
  } finally {
    await file?.close();
  }
}

/** Searches the rows of all tables, also those that are still in the write-ahead log. */
export async function searchSqlite(path: string, words: readonly string[]): Promise<StoredText[]> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${String(name).replaceAll('"', '""')}"`).all();
      const text = rows.map((row) => Object.values(row).map(toText).join('\n')).join('\n');
      return words.filter((word) => text.includes(word)).map((word) => ({ word, place: `${path}, table ${name}` }));
    });
  } finally {
    database.close();
  }
}

function toText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

async function loadSqlite(): Promise<Sqlite> {
  try {
    return (await import(sqliteModule)) as Sqlite;
  } catch {
    throw new NotMeasured(
      'The system stores in SQLite. Run the benchmark with Node 22.13 or newer, which can read it.',
    );
  }
}
