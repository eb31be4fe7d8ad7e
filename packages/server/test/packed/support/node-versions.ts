import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../../../node_modules/.cache/memhall-node/', import.meta.url));

/** The running version, and with MEMHALL_TEST_LONG each one that is supported. */
export const nodeVersions: readonly string[] =
  process.env.MEMHALL_TEST_LONG === undefined ? [process.versions.node] : ['20', '22', '24'];

/** Returns the program of a version, from the registry's package of it for this platform. */
export function nodeProgram(version: string): string {
  if (version === process.versions.node) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const prefix = join(cache, version);
  const program = join(prefix, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    mkdirSync(prefix, { recursive: true });
    execFileSync('npm', ['install', '--no-save', '--prefix', prefix, `${name}@${version}`], { stdio: 'ignore' });
  }
  return program;
}
