import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackfillMark, BackfillProgress } from '../ports/backfill-progress.js';

const counts = ['scanned', 'copied', 'skipped', 'errors'] as const;

/**
 * One small file per run, named after its source, target and options, so that it can be resumed. Contains ids and
 * numbers only.
 */
export class BackfillProgressFile implements BackfillProgress {
  readonly #path: string;

  constructor(dataDirectory: string, run: readonly string[]) {
    const name = createHash('sha256').update(JSON.stringify(run)).digest('hex').slice(0, 32);
    this.#path = join(dataDirectory, 'backfill', `${name}.json`);
  }

  async read(): Promise<BackfillMark | undefined> {
    try {
      const mark: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      return isMark(mark) ? mark : undefined;
    } catch {
      return undefined;
    }
  }

  async write(mark: BackfillMark): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${randomBytes(4).toString('hex')}`;
    await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
    await rename(draft, this.#path);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

function isMark(value: unknown): value is BackfillMark {
  const mark = value as Partial<BackfillMark> | null;
  return (
    typeof mark?.lastId === 'string' &&
    (mark.lastCopiedId === null || typeof mark.lastCopiedId === 'string') &&
    counts.every((name) => Number.isSafeInteger(mark.counts?.[name]))
  );
}
