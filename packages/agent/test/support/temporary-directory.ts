import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Creates a separate directory for each test. */
export function useTemporaryDirectory(): () => string {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'memhall-agent-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return () => directory;
}
