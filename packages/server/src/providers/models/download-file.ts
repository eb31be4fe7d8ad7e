import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartUpError } from '@memhall/core';

/** A download that delivers nothing for this long is given up; what is there already is kept. */
const STALL_MS = 60_000;
const MAX_BYTES = 2 ** 31 - 1;

interface Download {
  url: URL;
  path: string;
  sha256: string;
  onProgress(doneBytes: number, totalBytes: number | undefined): void;
}

/**
 * Downloads a file, or the rest of one that was downloaded in part. Throws StartUpError if it is not the expected one, and
 * removes it, so that the next attempt starts from the beginning.
 */
export async function downloadFile({ url, path, sha256, onProgress }: Download): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const present = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (present === 0 || (await sha256Of(path)) !== sha256) await fetchRest(url, path, present, onProgress);
  const actual = await sha256Of(path);
  if (actual === sha256) return;
  await rm(path);
  throw new StartUpError(`${url} has the SHA-256 ${actual}, not ${sha256}: it was not kept.`);
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function fetchRest(url: URL, path: string, present: number, onProgress: Download['onProgress']): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), STALL_MS);
  try {
    const headers = present > 0 ? { range: `bytes=${present}-` } : {};
    const response = await fetch(url, { headers, signal: stall.signal });
    if (response.status === 416) return;
    if (!response.ok || response.body === null)
      throw new StartUpError(`${url} cannot be downloaded: it answered with status ${response.status}.`);
    const start = response.status === 206 ? present : 0;
    await append(response.body, path, start, (done) => {
      timer.refresh();
      if (done > MAX_BYTES) throw new StartUpError(`${url} is larger than 2 GB.`);
      const rest = Number(response.headers.get('content-length') ?? Number.NaN);
      onProgress(done, Number.isFinite(rest) ? start + rest : undefined);
    });
  } catch (error) {
    if (error instanceof StartUpError) throw error;
    const reason = stall.signal.aborted ? 'no data for a minute' : describe(error);
    throw new StartUpError(`${url} cannot be downloaded: ${reason}. Run the command again to continue.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Replaces the file if `start` is 0. `onChunk` gets the length of the file. */
async function append(
  body: AsyncIterable<Uint8Array>,
  path: string,
  start: number,
  onChunk: (done: number) => void,
): Promise<void> {
  const file = await open(path, start > 0 ? 'a' : 'w', 0o600);
  let done = start;
  try {
    for await (const chunk of body) {
      done += chunk.length;
      onChunk(done);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
}

/** What `fetch` says of a failed connection is in the cause. */
function describe(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String((error as Error).message);
}
