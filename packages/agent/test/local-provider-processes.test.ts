import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LocalProvider } from '../src/provider/local/local-provider.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
const key = '2026-05-21';
const file = () => join(directory(), 'daily', `${key}.md`);
const linesOf = () => readFileSync(file(), 'utf8').split('\n');

/** Appends numbered lines and prints the number of each acknowledged line. */
const writer = `
  import { LocalProvider } from '@memhall/agent';
  const [root, name, from, to] = process.argv.slice(1);
  const provider = new LocalProvider({ root, workspaceId: 'w1', lockTimeoutMs: 60000 });
  for (let n = Number(from); n < Number(to); n++) {
    const content = name + ' ' + n + ' ' + 'x'.repeat(n % 40) + '.';
    await provider.retain({ workspaceId: 'w1', tier: 'daily', key: '${key}', content, mode: 'append' });
    process.stdout.write(n + '\\n');
  }`;

function startWriter(name: string, from: number, to: number, onLine: (count: number) => boolean = () => false) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', writer, directory(), name, String(from), String(to)],
    { cwd: import.meta.dirname },
  );
  let promised = '';
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  child.stdout.on('data', (chunk) => {
    promised += chunk;
    if (onLine(promised.split('\n').length - 1)) child.kill('SIGKILL');
  });
  return once(child, 'close').then(() => {
    expect(complaints).toBe('');
    return promised === '' ? from - 1 : Number(promised.trimEnd().split('\n').at(-1));
  });
}

function expected(name: string, n: number): string {
  return `${name} ${n} ${'x'.repeat(n % 40)}.`;
}

it('two processes that append concurrently lose and corrupt nothing', async () => {
  await Promise.all([startWriter('left', 0, 200), startWriter('right', 0, 200)]);
  const lines = linesOf();
  expect(lines).toHaveLength(400);
  for (const name of ['left', 'right']) {
    const own = lines.filter((line) => line.startsWith(name));
    expect(own).toEqual(Array.from({ length: 200 }, (_, n) => expected(name, n)));
  }
  expect(readdirSync(join(directory(), '.memhall/lock'))).toEqual([]);
});

it('every acknowledged line is stored exactly once and complete after kill -9', async () => {
  let next = 0;
  for (const count of isLong ? Array.from({ length: 20 }, (_, n) => 1 + n * 3) : [3, 20, 40]) {
    const last = await startWriter('w', next, 10_000, (told) => told >= count);
    const lines = linesOf();
    expect(lines).toEqual(lines.map((_, n) => expected('w', n)));
    expect(lines.length).toBeGreaterThan(last);
    next = lines.length;
  }
  const provider = new LocalProvider({ root: directory(), workspaceId: 'w1' });
  await provider.retain({ workspaceId: 'w1', tier: 'daily', key, content: 'after', mode: 'append' });
  expect(linesOf()).toHaveLength(next + 1);
  expect(readdirSync(join(directory(), 'daily'))).toEqual([`${key}.md`]);
  expect(readdirSync(join(directory(), '.memhall/lock'))).toEqual([]);
});

it('every acknowledged line is stored exactly once and complete if concurrent writers are killed', async () => {
  const next = { left: 0, right: 0 };
  for (let round = 0; round < (isLong ? 12 : 3); round++) {
    const killed = round % 2 === 0 ? 'left' : 'right';
    const survivor = killed === 'left' ? 'right' : 'left';
    const [last] = await Promise.all([
      startWriter(killed, next[killed], 10_000, (told) => told >= 4 + 3 * round),
      startWriter(survivor, next[survivor], next[survivor] + 15),
    ]);
    next[survivor] += 15;
    const lines = linesOf();
    for (const name of ['left', 'right'] as const) {
      const own = lines.filter((line) => line.startsWith(`${name} `));
      expect(own).toEqual(own.map((_, n) => expected(name, n)));
      expect(own.length).toBeGreaterThanOrEqual(name === killed ? last + 1 : next[name]);
      next[name] = own.length;
    }
    expect(lines).toHaveLength(next.left + next.right);
  }
  const provider = new LocalProvider({ root: directory(), workspaceId: 'w1' });
  await provider.retain({ workspaceId: 'w1', tier: 'daily', key, content: 'after', mode: 'append' });
  expect(linesOf()).toHaveLength(next.left + next.right + 1);
  expect(readdirSync(join(directory(), '.memhall/lock'))).toEqual([]);
}, 180_000);

it('waits for a live lock holder on another machine, but not for one that stopped renewing', async () => {
  const lock = join(directory(), '.memhall/lock');
  mkdirSync(lock, { recursive: true });
  const ticket = join(lock, '000000000001-0123456789ab-1-1-00000000-0000-4000-8000-000000000000');
  writeFileSync(ticket, '');
  const provider = new LocalProvider({ root: directory(), workspaceId: 'w1', lockTimeoutMs: 50 });
  const request = { workspaceId: 'w1', tier: 'AGENT', content: 'x', mode: 'append' } as const;
  await expect(provider.retain(request)).rejects.toMatchObject({ name: 'ProviderTimeout' });
  utimesSync(ticket, new Date(0), new Date(0));
  expect(await provider.retain(request)).toEqual({ id: 'AGENT.md', bytes: 1 });
  expect(readdirSync(lock)).toEqual([]);
});

it('concurrent appends of one process are all stored', async () => {
  const [one, two] = [1, 2].map(() => new LocalProvider({ root: directory(), workspaceId: 'w1' }));
  const appends = Array.from({ length: 60 }, (_, n) => {
    const request = { workspaceId: 'w1', tier: 'daily', key, content: `line ${n}`, mode: 'append' } as const;
    return (n % 2 === 0 ? one : two)?.retain(request);
  });
  await Promise.all(appends);
  expect(new Set(linesOf()).size).toBe(60);
});
