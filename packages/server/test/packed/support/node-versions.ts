import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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
  if (!existsSync(program)) install(`${name}@${version}`, prefix);
  return program;
}

/** Moves the package into place when it is complete: several test files may need it at the same time. */
function install(wanted: string, prefix: string): void {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${prefix}.new-`);
  execFileSync('npm', ['install', '--no-save', '--prefix', draft, wanted], { stdio: 'ignore' });
  try {
    renameSync(draft, prefix);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(prefix)) throw error;
  }
}
