import { spawnSync } from 'node:child_process';

/** Returns whether strace is installed. Says what is not tested without it. */
export function hasStrace(untested: string): boolean {
  if (spawnSync('strace', ['-V']).status === 0) return true;
  if (process.env.MEMHALL_REQUIRE_STRACE !== undefined) {
    throw new Error('MEMHALL_REQUIRE_STRACE is set, but strace is not installed here');
  }
  process.stdout.write(`Without strace: ${untested} is not tested.\n`);
  return false;
}
