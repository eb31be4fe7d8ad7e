import { readFileSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import { holdsSecrets, parseConfigFile } from '../config/parse-config-file.js';
import type { FileValues } from '../config/read-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns where the user's own configuration file is or would be: in the configuration directory of the user, never in the working
 * directory. Returns undefined if the user has no such directory.
 */
export function usualConfigPath(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME: own, HOME: home, APPDATA: windows } = environment;
  const directory = [own, windows, home && join(home, '.config')].find((path) => path && isAbsolute(path));
  return directory && join(directory, 'memhall', 'config.json');
}

/**
 * Reads the given configuration file, else the one in MEMHALL_CONFIG, else the user's own if there is one. `off` reads none. Throws
 * StartUpError if other users could have written the file, or can read secrets in it.
 */
export function openConfigFile(given: string | undefined, environment: Environment): FileValues | undefined {
  const named = given ?? (environment.MEMHALL_CONFIG || undefined);
  if (named === 'off') return undefined;
  const path = named === undefined ? usualConfigPath(environment) : resolve(named);
  if (path === undefined) return undefined;
  const opened = readIfThere(path, named !== undefined);
  if (opened === undefined) return undefined;
  const file = parseConfigFile(path, opened.text);
  const fault = findFault(path, opened.stats, holdsSecrets(file), process.getuid?.());
  if (fault !== undefined) throw new StartUpError(fault);
  return file;
}

function readIfThere(path: string, isRequired: boolean): { text: string; stats: Stats } | undefined {
  try {
    return { stats: statSync(path), text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && !isRequired) return undefined;
    const advice = isMissing ? 'Run `memhall init` to write one.' : 'Check its owner and permissions.';
    throw new StartUpError(`The configuration file ${path} cannot be read (${code}). ${advice}`, { cause: error });
  }
}

/** Files of root are trusted, because orchestrators mount them so. */
function findFault(
  path: string,
  { uid, mode }: Stats,
  hasSecrets: boolean,
  ownUid: number | undefined,
): string | undefined {
  if (ownUid === undefined) return undefined;
  if (uid !== ownUid && uid !== 0) {
    return `The configuration file ${path} belongs to another user (uid ${uid}). Run: chown ${ownUid} ${path}`;
  }
  if ((mode & 0o002) !== 0) {
    return `The configuration file ${path} can be changed by every user of this machine. Run: chmod 600 ${path}`;
  }
  if (hasSecrets && uid === ownUid && (mode & 0o077) !== 0) {
    return `The configuration file ${path} holds secrets and can be read by other users. Run: chmod 600 ${path}`;
  }
  return undefined;
}
