import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config-options.js';

/** The file of this command. */
export const program = fileURLToPath(new URL('../../../bin/memhall.js', import.meta.url));

/** Returns how a client starts this installation: by its name if that is on the path, otherwise by its file. */
export function ownCommand({ PATH: path = '' }: Environment): { command: string; args: string[] } {
  const found = path.split(delimiter).some((directory) => directory !== '' && isOwn(join(directory, 'memhall')));
  return found ? { command: 'memhall', args: [] } : { command: process.execPath, args: [program] };
}

function isOwn(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return realpathSync(file) === realpathSync(program);
  } catch {
    return false;
  }
}
