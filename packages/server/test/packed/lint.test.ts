import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { tools } from './support/global-setup.js';

it('publint and are-the-types-wrong find nothing', async () => {
  const tarballs = inject('tarballs').filter((path) => !path.includes('minilm'));
  const { stdout } = await promisify(execFile)(process.execPath, [join(tools, 'lint.mjs'), ...tarballs]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
