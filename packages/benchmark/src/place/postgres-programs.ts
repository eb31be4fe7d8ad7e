import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const debian = '/usr/lib/postgresql';

/** Returns the path of a program of PostgreSQL, of the newest version in Debian's directory, else its name for the PATH. */
export function postgresProgram(name: string): string {
  return serverProgram(name) ?? name;
}

/** Returns undefined if Debian's directory does not have it. */
export function serverProgram(name: string): string | undefined {
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return majors.map((major) => join(debian, major, 'bin', name)).find((path) => existsSync(path));
}
