import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { postgresProgram } from './postgres-programs.js';
import type { StoredText } from './search-stored.js';

/** Searches every row of every table, as `pg_dump` prints them. Bytes are printed in hexadecimal. */
export async function searchDatabase(url: string, words: readonly string[]): Promise<StoredText[]> {
  const forms = words.flatMap((word) => [
    { word, form: word },
    { word, form: Buffer.from(word).toString('hex') },
  ]);
  const dump = spawn(postgresProgram('pg_dump'), ['--data-only', '--no-owner', '--dbname', url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problem = '';
  dump.stderr.on('data', (chunk: Buffer) => {
    problem = (problem + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    dump.once('error', reject);
    dump.once('close', resolve);
  });
  const found = new Map<string, StoredText>();
  let table = 'the database';
  for await (const line of createInterface({ input: dump.stdout })) {
    table = /^COPY (\S+) /.exec(line)?.[1] ?? table;
    for (const { word, form } of forms)
      if (line.includes(form)) found.set(`${table} ${word}`, { word, place: `table ${table}` });
  }
  if ((await ended) !== 0) throw new Error(`pg_dump failed: ${problem.trim()}`);
  return [...found.values()];
}
