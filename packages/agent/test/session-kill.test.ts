import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();

/** Appends forever and prints the number of each acknowledged event. */
const writer = `
  import { FileSessionStore } from '@memhall/agent';
  const store = new FileSessionStore(process.argv[1]);
  for (let n = Number(process.argv[2]); ; n++) {
    const payload = { role: 'user', content: 'x'.repeat(n % 5000) };
    const event = { id: String(n), run_id: 'r', at: new Date().toISOString(), type: 'message', context_visible: true, payload };
    await store.append('s1', [event]);
    process.stdout.write(n + '\\n');
  }`;

async function writeUntilKilled(from: number, count: number): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, directory(), String(from)], {
    cwd: import.meta.dirname,
  });
  let promised = '';
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  child.stdout.on('data', (chunk) => {
    promised += chunk;
    if (promised.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(complaints).toBe('');
  return Number(promised.trimEnd().split('\n').at(-1));
}

it('every acknowledged event is stored exactly once and in order after kill -9', async () => {
  const store = new FileSessionStore(directory());
  let next = 0;
  for (const count of [5, 30, 80]) {
    const last = await writeUntilKilled(next, count);
    const ids = (await store.read('s1')).map(({ id }) => Number(id));
    expect(ids).toEqual([...ids.keys()]);
    expect(ids.length).toBeGreaterThan(last);
    next = ids.length;
  }
});
