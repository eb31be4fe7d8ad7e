import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./test-support/leave-while-embedding.mjs', import.meta.url));
let cacheDirectory: string;
beforeAll(async () => {
  cacheDirectory = await mkdtemp(join(tmpdir(), 'memhall-minilm-'));
});
afterAll(() => rm(cacheDirectory, { recursive: true }));

function run(way: string): Promise<{ code: number | null; signal: string | null; errors: string }> {
  const child = spawn(process.execPath, [SCRIPT, way, cacheDirectory]);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, errors })));
}

describe('a process with a local embedder', () => {
  it.each([
    ['never-close', 0],
    ['close-while-busy', 0],
    ['exit-while-busy', 7],
    ['exit-while-loading', 7],
  ])('ends as it should: %s', async (way, code) => {
    expect(await run(way)).toEqual({ code, signal: null, errors: '' });
  });
});
