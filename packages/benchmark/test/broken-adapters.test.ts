import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { builtInNames, loadAdapter } from '../src/adapters/load-adapter.js';
import type { CaseResult } from '../src/run/result.js';
import { runBenchmark } from '../src/run/run-benchmark.js';
import { benchmarkOptions } from './support/benchmark-options.js';

const shelf = readFileSync(fileURLToPath(new URL('./test-support/shelf-adapter.mjs', import.meta.url)), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'memhall-broken-'));

afterAll(() => rmSync(directory, { recursive: true }));

function write(name: string, find: string, put: string): string {
  expect(shelf).toContain(find);
  const path = join(directory, `${name}.mjs`);
  writeFileSync(
    path,
    shelf.replace(find, () => put),
  );
  return path;
}

async function run(source: string, only = ['erasure/recall']): Promise<CaseResult | undefined> {
  const options = { ...benchmarkOptions, only, callTimeoutMs: 2000 };
  const { systems } = await runBenchmark([{ source, adapter: await loadAdapter(source) }], options, process.env);
  return systems[0]?.cases[0];
}

describe('an adapter that', () => {
  it('does not open is an error of the adapter, with its reason', async () => {
    const source = write('closed', 'openShelf(directory),', "{ throw new Error('no room for ' + directory.length); },");
    expect(await run(source)).toMatchObject({
      status: 'error',
      detail: expect.stringMatching(/does not open: no room/),
    });
  });

  it('ends its process is an error with its last words', async () => {
    const source = write('ending', 'openShelf(directory),', "{ console.error('out of paper'); process.exit(3); },");
    expect(await run(source)).toMatchObject({ status: 'error', detail: expect.stringContaining('out of paper') });
  });

  it('does not answer is an error after the longest time for a call', async () => {
    const source = write(
      'silent',
      'list: async (owner) =>',
      'list: (owner) => new Promise(() => {}), no: async (owner) =>',
    );
    expect(await run(source)).toMatchObject({ status: 'error', detail: 'list did not answer within 2000 ms' });
  });

  it('lacks a method that its claims need is an error that names it', async () => {
    const source = write('lacking', 'forget: (owner, id) =>', 'leave: (owner, id) =>');
    expect(await run(source)).toMatchObject({
      status: 'error',
      detail: 'the adapter has no forget, which its claims need',
    });
  });

  it('says nothing about a capability is refused', async () => {
    const source = write('quiet', ' knownAt', '');
    await expect(loadAdapter(source)).rejects.toThrow('neither claims nor disclaims knownAt');
  });

  it('does not exist is refused with the names of those that do', async () => {
    await expect(loadAdapter('memo')).rejects.toThrow(`There are ${builtInNames.join(', ')}`);
    await expect(loadAdapter('./missing.mjs')).rejects.toThrow('./missing.mjs cannot be loaded');
  });
});

it('a case that does not exist is refused with the names of those that do', async () => {
  await expect(run(write('whole', 'Shelf', 'Shelf'), ['erase'])).rejects.toThrow('There is no case or area erase.');
});

it('every built-in adapter loads without the packages of its system', async () => {
  for (const name of builtInNames) expect((await loadAdapter(name)).name).toBe(name);
});
