import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { newAuditKey, parseAuditKey } from './ed25519-audit-key.js';
import { readOrCreateSecret } from './secret-file.js';

const name = 'audit-key';

export function hasAuditKey(directory: string): boolean {
  return existsSync(join(directory, name));
}

/** Returns the private key of a data directory, created if there is none. Throws StartUpError if others may know it. */
export async function readAuditKey(directory: string): Promise<Buffer> {
  const path = join(directory, name);
  const text = await readOrCreateSecret(path, newAuditKey);
  const { mode } = await stat(path);
  if (process.getuid !== undefined && (mode & 0o004) !== 0) {
    throw new StartUpError(
      `The key in ${path}, which signs the audit log, can be read by every user of this machine. Run: chmod 600 ${path}`,
    );
  }
  return parseAuditKey(text, `The key in ${path}`);
}
