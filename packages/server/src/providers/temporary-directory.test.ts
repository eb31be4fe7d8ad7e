import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepTemporaryClean, makeTemporaryDirectory } from './temporary-directory.js';

const hourMs = 3_600_000;

describe('temporary directories', () => {
  let place: string;
  const faults: unknown[] = [];
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'memhall-temporaries-test-'));
    vi.stubEnv('TMPDIR', place);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true, force: true });
    expect(faults.splice(0)).toEqual([]);
  });
  const clean = () => keepTemporaryClean((error) => faults.push(error));
  const age = (path: string, hours: number) => {
    const then = new Date(Date.now() - hours * hourMs);
    utimesSync(path, then, then);
  };

  it('are for the eyes of their owner, and leave nothing', async () => {
    const { path, remove } = await makeTemporaryDirectory();
    expect(statSync(path).mode & 0o777).toBe(0o700);
    writeFileSync(join(path, 'file'), 'walrus');
    await remove();
    await remove();
    expect(readdirSync(place)).toEqual([]);
  });

  it('are removed when nobody has been at them for an hour, at once and later', async () => {
    const old = await makeTemporaryDirectory();
    const young = await makeTemporaryDirectory();
    vi.clearAllTimers();
    age(old.path, 1.5);
    age(young.path, 0.5);
    const stop = await clean();
    expect(readdirSync(place)).toHaveLength(1);
    age(young.path, 1.5);
    vi.advanceTimersByTime(hourMs);
    await expect.poll(() => readdirSync(place)).toEqual([]);
    stop();
  });

  it('stay for as long as somebody works in them', async () => {
    const { path, remove } = await makeTemporaryDirectory();
    age(path, 1.5);
    vi.advanceTimersByTime(hourMs);
    await expect.poll(() => Date.now() - statSync(path).mtimeMs).toBeLessThan(hourMs / 2);
    (await clean())();
    expect(readdirSync(place)).toHaveLength(1);
    await remove();
  });

  it('of others, whatever they are called, are left alone', async () => {
    const other = mkdtempSync(join(place, 'memhall-other-'));
    age(other, 5);
    (await clean())();
    expect(readdirSync(place)).toHaveLength(1);
  });

  it('are no reason not to start where they cannot be looked for', async () => {
    rmSync(place, { recursive: true });
    (await clean())();
    expect(faults.splice(0)).toMatchObject([{ code: 'ENOENT' }]);
  });
});
