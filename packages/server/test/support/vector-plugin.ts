import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

const program = fileURLToPath(new URL('../../../../examples/plugins/pgvector/plugin.mjs', import.meta.url));

/** Runs the example plugin on pgvector for a suite. Returns its address. */
export function useVectorPlugin(databaseUrl: () => string): () => string {
  let url = '';
  let stop = async () => {};
  beforeAll(async () => {
    const args = ['--port', '0', '--database', databaseUrl(), '--schema', 'memory_plugin'];
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    url = JSON.parse(String(line[0])).url;
  });
  afterAll(() => stop());
  return () => url;
}
