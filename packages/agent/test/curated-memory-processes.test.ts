import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CuratedMemory } from '../src/memory/curated-memory.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();

/** Adds numbered notes and prints the number of each acknowledged one. */
const writer = `
  import { CuratedMemory } from '@memhall/agent';
  const [directory, name, count] = process.argv.slice(1);
  const memory = new CuratedMemory(directory);
  for (let n = 0; n < Number(count); n++) {
    await memory.change('memory', { action: 'add', content: name + ' ' + n });
    process.stdout.write(name + ' ' + n + '\\n');
  }`;

async function addNotes(name: string, count: number): Promise<string[]> {
  const args = ['--input-type=module', '-e', writer, directory(), name, String(count)];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname });
  let promised = '';
  let complaints = '';
  child.stdout.on('data', (chunk) => {
    promised += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  await once(child, 'close');
  expect(complaints).toBe('');
  return promised.trimEnd().split('\n');
}

it('keeps every acknowledged note of two processes that use one directory', async () => {
  const promised = (await Promise.all([addNotes('left', 40), addNotes('right', 40)])).flat();
  const { memory } = await new CuratedMemory(directory()).snapshot();
  expect(promised).toHaveLength(80);
  expect(memory.split('\n').sort()).toEqual(promised.map((note) => `- ${note}`).sort());
  expect(readdirSync(directory()).sort()).toEqual(['.memhall', 'MEMORY.md']);
  expect(readdirSync(join(directory(), '.memhall/lock'))).toEqual([]);
});

it('locks the directory that a link leads to', async () => {
  const real = join(directory(), 'real');
  mkdirSync(real);
  symlinkSync(real, join(directory(), 'link'));
  await new CuratedMemory(join(directory(), 'link')).change('user', { action: 'add', content: 'Ann drinks tea.' });
  expect(readdirSync(realpathSync(join(directory(), 'link'))).sort()).toEqual(['.memhall', 'USER.md']);
});

it('refuses a change while another process holds the lock for too long', async () => {
  const lock = join(directory(), '.memhall/lock');
  mkdirSync(lock, { recursive: true });
  const elsewhere = `000000000001-${'f'.repeat(12)}-1-1-00000000-0000-4000-8000-000000000000`;
  writeFileSync(join(lock, elsewhere), '');
  const memory = new CuratedMemory(directory(), { lockTimeoutMs: 30 });
  await expect(memory.change('user', { action: 'add', content: 'x' })).rejects.toThrow('Another process');
  expect(readdirSync(lock)).toEqual([elsewhere]);
  expect(await memory.snapshot()).toEqual({ memory: '', user: '' });
});
