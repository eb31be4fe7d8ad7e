import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase } from '../src/composition/open-database.js';
import { startEngine } from '../src/composition/start-engine.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import type { Database } from '../src/store/database.js';
import { exportTo, linesOf, useArchives } from './support/archives.js';
import { flagsOf, program, runCommand, runProgram } from './support/command.js';
import { createTestDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';

const silent = pino({ level: 'silent' });
const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 2 : 20;
const users = 4;
const memoriesOfUser = 400;

describeOneDatabase('an import killed in the middle', (database) => {
  const archives = useArchives();

  it(
    `is completed by the next import, without duplicate or partial records, after ${rounds} kills`,
    async () => {
      const path = archives.path('archive');
      const { engine, close } = await startEngine(database().config(), silent);
      for (let user = 0; user < users; user++) {
        const contents = Array.from({ length: memoriesOfUser }, (_, index) => ({
          ...{ content: `note ${index} ${'word '.repeat(index % 50)}`, kind: 'fact' as const },
        }));
        await rememberMany(engine, callerOf(`u${user}`), contents);
      }
      await close();
      await exportTo(database(), path);

      const target = await createTestDatabase(database().kind);
      const flags = flagsOf(target);
      const total = linesOf(path).length - 2;
      let killed = 0;
      for (let round = 0; round < rounds; round++) {
        // Even rounds run while another process has the database open; in odd ones, an embedded database dies too.
        const beside = round % 2 === 0 ? await openDatabase(target.config(), silent) : undefined;
        const child = spawn(process.execPath, [program, 'import', '--input', path, ...flags], { stdio: 'ignore' });
        const ended = new Promise<number | null>((done) => child.once('close', done));
        if (beside === undefined) {
          await Promise.race([sleep(500 + Math.random() * 4000), ended]);
        } else {
          const goal = (await countRows(beside)) + (Math.random() * total) / rounds;
          while ((await countRows(beside)) <= goal && child.exitCode === null) await sleep(5);
        }
        child.kill('SIGKILL');
        if ((await ended) === null) killed += 1;
        await beside?.close();
        const verified = await runCommand(['audit', 'verify', ...flags]);
        expect(verified.stdout).toMatch(/faults=0\n/);
      }
      expect(killed).toBeGreaterThan(0);
      const finished = await runCommand(['import', '--input', path, ...flags]);
      expect(finished).toMatchObject({ code: 0, stderr: '' });
      expect(finished.stdout).toMatch(new RegExp(`records=${total} added=\\d+`));
      await exportTo(target, archives.path('again'));
      expect(linesOf(archives.path('again')).slice(1, -1)).toEqual(linesOf(path).slice(1, -1));
      await target.remove();
    },
    60_000 + rounds * 20_000,
  );

  it('leaves no piped input on disk once another command has run', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'memhall-import-kill-'));
    const environment = { TMPDIR: temporary };
    const child = spawn(process.execPath, [program, 'import', '--input', '-', ...flagsOf(database())], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise((done) => child.once('close', done));
    child.stdin.write('about somebody');
    const piped = () =>
      readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('archive'));
    await expect.poll(piped, { timeout: 30_000 }).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
    const long = new Date(Date.now() - 2 * 3_600_000);
    for (const name of readdirSync(temporary)) utimesSync(join(temporary, name), long, long);
    const next = await runProgram(['export', '--tenant', 'nobody', ...flagsOf(database())], environment);
    expect(next.stderr).toMatch(/There is no data of tenant nobody/);
    expect(piped()).toEqual([]);
    rmSync(temporary, { recursive: true });
  }, 60_000);
});

async function countRows({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ rows: string }>(
    'SELECT (SELECT count(*) FROM memhall.memories) + (SELECT count(*) FROM memhall.audit_records) AS rows',
  );
  return Number(rows[0]?.rows);
}
