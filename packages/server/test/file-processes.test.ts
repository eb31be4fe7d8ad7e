import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReadFile } from '../src/ports/file-reader.js';
import { type FileReaderLimits, ProcessFileReader } from '../src/providers/files/process-file-reader.js';
import { nestedPdfBomb } from '../src/providers/files/test-support/hostile-files.js';
import { pdfOf } from '../src/providers/files/test-support/sample-files.js';

const limits: FileReaderLimits = { timeoutMs: 20_000, memoryMegabytes: 256, textLength: 1_000_000, concurrency: 2 };
const directory = mkdtempSync(join(tmpdir(), 'memhall-files-'));
const opened: ProcessFileReader[] = [];
afterAll(() => {
  for (const reader of opened) reader.close();
  rmSync(directory, { recursive: true });
});

function readerWith(more: Partial<FileReaderLimits> = {}): ProcessFileReader {
  const reader = new ProcessFileReader({ ...limits, ...more });
  opened.push(reader);
  return reader;
}

let written = 0;
function write(content: Buffer | string): string {
  // The name does not reveal the type.
  const path = join(directory, `${written++}.exe`);
  writeFileSync(path, content);
  return path;
}

const shared = readerWith();
const read = (content: Buffer | string, reader = shared): Promise<ReadFile> => reader.read(write(content));
const fine = pdfOf(['A walrus sleeps.']);

describe('reading a file in a process', () => {
  it('returns its text', async () => {
    expect(await read(fine)).toMatchObject({ mediaType: 'application/pdf', text: 'A walrus sleeps.' });
    expect(await read('{"animal":"walrus"}')).toMatchObject({ mediaType: 'application/json' });
    expect(await read('<svg/>')).toEqual({ mediaType: null });
  });

  it('rejects text beyond the limit', async () => {
    expect(await read('walrus '.repeat(200_000))).toEqual({ mediaType: 'text/plain', failure: 'too_large' });
  });

  it('ends a file that takes too long, and reads the next', async () => {
    const hasty = readerWith({ timeoutMs: 1 });
    expect(await read(pdfOf(['slow']), hasty)).toEqual({ mediaType: null });
    expect(await read(fine)).toMatchObject({ text: 'A walrus sleeps.' });
  });

  it('gives back the memory that a hostile file took', async () => {
    const before = process.memoryUsage.rss();
    const bomb = nestedPdfBomb(500);
    expect(bomb.length).toBeLessThan(4000);
    expect(await read(bomb)).toEqual({ mediaType: 'application/pdf', failure: 'too_large' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
    expect(await read(fine)).toMatchObject({ text: 'A walrus sleeps.' });
  });

  it('reads files that had to wait', async () => {
    const one = readerWith({ concurrency: 1 });
    const files = await Promise.all([1, 2, 3].map((number) => read(pdfOf([`Walrus ${number}.`]), one)));
    expect(files.map((file) => 'text' in file && file.text)).toEqual(['Walrus 1.', 'Walrus 2.', 'Walrus 3.']);
    await expect(one.read(join(directory, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that nobody has waited for yet has ended all the same.
    return !existsSync(`/proc/${pid}/status`) || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a program that reads files', () => {
  const module = new URL('../dist/providers/files/process-file-reader.js', import.meta.url).href;
  /** Prints the id and environment of every process it starts, then what the code prints. */
  const start = (code: string): ChildProcess => {
    const program = `
      import childProcess from 'node:child_process';
      import { syncBuiltinESMExports } from 'node:module';
      const { fork } = childProcess;
      childProcess.fork = (module, args, options) => {
        const child = fork(module, args, options);
        console.log(JSON.stringify({ pid: child.pid, env: options.env }));
        return child;
      };
      syncBuiltinESMExports();
      const { ProcessFileReader } = await import('${module}');
      const reader = new ProcessFileReader(${JSON.stringify(limits)});
      ${code}`;
    const env = { ...process.env, MEMHALL_JWT_SECRET: 'a secret' };
    return spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const linesOf = ({ stdout }: ChildProcess) =>
    createInterface({ input: stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();

  it('ends by itself, although it did not close its reader', async () => {
    const program = start(`console.log((await reader.read('${write(fine)}')).text);`);
    const lines = linesOf(program);
    const { pid, env } = JSON.parse((await lines.next()).value);
    expect(Object.keys(env)).not.toContain('MEMHALL_JWT_SECRET');
    expect((await lines.next()).value).toBe('A walrus sleeps.');
    await lines.next();
    expect(program.exitCode ?? (await once(program, 'exit'))[0]).toBe(0);
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });

  it('leaves no process behind when it is killed in the middle of a file', async () => {
    const program = start(`await reader.read('${write(nestedPdfBomb(20_000))}');`);
    const { pid } = JSON.parse((await linesOf(program).next()).value);
    expect(isRunning(pid)).toBe(true);
    program.kill('SIGKILL');
    await once(program, 'exit');
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });
});
