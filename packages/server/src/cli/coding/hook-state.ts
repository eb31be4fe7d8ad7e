import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const privateMode = 0o600;
const mostLogBytes = 1024 * 1024;

/** Where hooks keep what they need between two calls. */
function stateDirectory(): string {
  return join(homedir(), '.memhall', 'hooks');
}

/** Returns up to where the transcript of a session has been read. */
export function readPosition(session: string): number {
  try {
    const { end } = JSON.parse(readFileSync(positionFile(session), 'utf8')) as { end?: unknown };
    return typeof end === 'number' && Number.isSafeInteger(end) && end >= 0 ? end : 0;
  } catch {
    return 0;
  }
}

export function writePosition(session: string, end: number): void {
  mkdirSync(stateDirectory(), { recursive: true, mode: 0o700 });
  writeFileSync(positionFile(session), JSON.stringify({ end }), { mode: privateMode });
}

/** Adds a line to the log of hooks: nobody reads what a hook prints. Never throws. */
export function logHook(agent: string, event: string, message: string): void {
  try {
    mkdirSync(stateDirectory(), { recursive: true, mode: 0o700 });
    const file = join(stateDirectory(), 'hooks.log');
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostLogBytes) renameSync(file, `${file}.1`);
    const line = `${new Date().toISOString()} ${agent} ${event}: ${message.replace(/\s+/g, ' ').slice(0, 1000)}\n`;
    appendFileSync(file, line, { mode: privateMode });
  } catch {
    // A full disk must not stop the agent either.
  }
}

/** Returns the place that hooks of a session take while they keep what was said. */
export function placeOf(session: string): string {
  return `${stateOf(session)}.busy`;
}

function positionFile(session: string): string {
  return `${stateOf(session)}.json`;
}

function stateOf(session: string): string {
  return join(stateDirectory(), createHash('sha256').update(session).digest('hex').slice(0, 32));
}
