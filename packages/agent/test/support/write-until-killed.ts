import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

/**
 * Starts a process that opens a session store and appends numbered events to the session `s1` until it is killed, after
 * it has acknowledged `count` of them. `opening` is code that defines `store`. Returns the last acknowledged number.
 */
export async function writeUntilKilled(opening: string, from: number, count: number): Promise<number> {
  const writer = `
    ${opening}
    for (let n = ${from}; ; n++) {
      const payload = { role: 'user', content: 'message ' + n + 'x'.repeat(n % 5000) };
      const event = { id: String(n), run_id: 'r', at: new Date().toISOString(), type: 'message', context_visible: true, payload };
      await store.append('s1', [event]);
      process.stdout.write(n + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer], { cwd: import.meta.dirname });
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
