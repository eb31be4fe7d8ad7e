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

  it('are readable by their owner only, and leave nothing behind', async () => {
    const { path, remove } = await makeTemporaryDirectory();
    expect(statSync(path).mode & 0o777).toBe(0o700);
    writeFileSync(join(path, 'file'), 'walrus');
    await remove();
    await remove();
    expect(readdirSync(place)).toEqual([]);
  });

  it('are removed, at once and later, if they were not used for an hour', async () => {
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

  it('stay while they are in use', async () => {
    const { path, remove } = await makeTemporaryDirectory();
    age(path, 1.5);
    vi.advanceTimersByTime(hourMs);
    await expect.poll(() => Date.now() - statSync(path).mtimeMs).toBeLessThan(hourMs / 2);
    (await clean())();
    expect(readdirSync(place)).toHaveLength(1);
    await remove();
  });

  it('of other programs are not touched', async () => {
    const other = mkdtempSync(join(place, 'memhall-other-'));
    age(other, 5);
    (await clean())();
    expect(readdirSync(place)).toHaveLength(1);
  });

  it('do not prevent a start if they cannot be listed', async () => {
    rmSync(place, { recursive: true });
    (await clean())();
    expect(faults.splice(0)).toMatchObject([{ code: 'ENOENT' }]);
  });
});
