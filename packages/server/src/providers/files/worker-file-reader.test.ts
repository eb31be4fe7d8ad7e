import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReadFile } from '../../ports/file-reader.js';
import { pdfOf } from './test-support/sample-files.js';
import { type FileReaderLimits, WorkerFileReader } from './worker-file-reader.js';

const limits: FileReaderLimits = { timeoutMs: 20_000, memoryMegabytes: 256, textLength: 1_000_000, concurrency: 2 };
const directory = mkdtempSync(join(tmpdir(), 'memhall-files-'));
afterAll(() => rmSync(directory, { recursive: true }));

let written = 0;
function read(content: Buffer | string, more: Partial<FileReaderLimits> = {}): Promise<ReadFile> {
  // The name does not reveal the type.
  const path = join(directory, `${written++}.exe`);
  writeFileSync(path, content);
  return new WorkerFileReader({ ...limits, ...more }).read(path);
}

describe('reading a file in a thread', () => {
  it('rejects text beyond the limit', async () => {
    expect(await read('walrus '.repeat(200_000))).toEqual({ mediaType: 'text/plain', failure: 'too_large' });
  });

  it('ends a thread that takes too long', async () => {
    const slow = pdfOf(Array.from({ length: 3000 }, (_, index) => `page ${index}`));
    expect(await read(slow, { timeoutMs: 1 })).toEqual({ mediaType: null });
    expect(await read('A walrus.')).toMatchObject({ text: 'A walrus.' });
  });

  it('ends a thread that takes too much memory', async () => {
    const bomb = pdfOf(['x'], { stream: deflateSync(Buffer.alloc(400_000_000, '(walrus) Tj ')) });
    expect(await read(bomb, { memoryMegabytes: 64 })).toMatchObject({
      failure: expect.stringMatching(/too_large|took_too_long|unreadable/),
    });
    expect(await read('A walrus.')).toMatchObject({ text: 'A walrus.' });
  });

  it('reads files that had to wait', async () => {
    const path = join(directory, 'waits');
    writeFileSync(path, 'A walrus.');
    const reader = new WorkerFileReader({ ...limits, concurrency: 1 });
    const files = await Promise.all([1, 2, 3].map(() => reader.read(path)));
    expect(files.map((file) => 'text' in file && file.text)).toEqual(['A walrus.', 'A walrus.', 'A walrus.']);
    await expect(reader.read(join(directory, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
