import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDirectory } from './open-directory.js';

const pattern = /^(\d{12})-([0-9a-f]{12})-(\d+)-(\d+)-[0-9a-f-]{36}$/;
const shortestPauseMs = 1;
const longestPauseMs = 20;
/**
 * Processes on other machines or in other containers cannot be checked. Their tickets expire after this time. A waiting
 * process renews its ticket.
 */
const foreignTicketMs = 60_000;
const renewMs = 10_000;

/** Another process held the lock for longer than the caller was willing to wait. */
export class LockTimeout extends Error {
  override readonly name = 'LockTimeout';
}

/**
 * A fair lock between processes. Each process draws a ticket, a file named by a number and the process, and waits until
 * all lower tickets are gone. Names are never reused, so removing the ticket of a dead process cannot remove another
 * ticket. Drawing is not atomic: a process that finds a higher ticket after drawing its own may have been overtaken and
 * draws again.
 */
export async function withTicket<T>(
  directory: OpenDirectory,
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  const ticket = await drawTicket(directory);
  try {
    await waitForTurn(directory, ticket, deadline, signal);
    return await work();
  } finally {
    await remove(directory, ticket);
  }
}

async function drawTicket(directory: OpenDirectory): Promise<string> {
  for (;;) {
    const ticket = `${String(highestOf(await list(directory)) + 1).padStart(12, '0')}-${await self()}-${randomUUID()}`;
    await (await open(directory.pathOf(ticket), 'wx', 0o600)).close();
    if (!(await isOvertaken(directory, ticket))) return ticket;
    await remove(directory, ticket);
    await sleep(Math.random() * longestPauseMs);
  }
}

/** Removes the ticket on any failure. A forgotten ticket would block everyone for as long as this process lives. */
async function isOvertaken(directory: OpenDirectory, ticket: string): Promise<boolean> {
  try {
    return (await list(directory)).some((other) => other > ticket);
  } catch (error) {
    await remove(directory, ticket);
    throw error;
  }
}

async function waitForTurn(
  directory: OpenDirectory,
  ticket: string,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let renewAt = Date.now() + renewMs;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal?.throwIfAborted();
    if (!(await isAnyAlive(directory, await list(directory), ticket))) return;
    if (Date.now() > deadline) throw new LockTimeout('Another process held the memory lock for too long.');
    if (Date.now() > renewAt) {
      renewAt = Date.now() + renewMs;
      await utimes(directory.pathOf(ticket), new Date(), new Date());
    }
    await sleep(pauseMs);
  }
}

/** Returns whether a live process has a lower ticket. Removes tickets of dead processes. */
async function isAnyAlive(directory: OpenDirectory, tickets: readonly string[], own: string): Promise<boolean> {
  for (const ticket of tickets) {
    if (ticket >= own) continue;
    if (await isAlive(directory, ticket)) return true;
    await remove(directory, ticket);
  }
  return false;
}

async function isAlive(directory: OpenDirectory, ticket: string): Promise<boolean> {
  const [, , place, pid, startedAt] = pattern.exec(ticket) ?? [];
  if (place === ownPlace()) return startedAt === (await startOf(Number(pid)));
  const age = await stat(directory.pathOf(ticket)).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return age < foreignTicketMs;
}

async function list(directory: OpenDirectory): Promise<string[]> {
  return (await readdir(directory.pathOf('.'))).filter((name) => pattern.test(name)).sort();
}

function highestOf(tickets: readonly string[]): number {
  return Number(tickets.at(-1)?.slice(0, 12) ?? 0);
}

async function remove(directory: OpenDirectory, ticket: string): Promise<void> {
  await unlink(directory.pathOf(ticket)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function self(): Promise<string> {
  return `${ownPlace()}-${process.pid}-${await startOf(process.pid)}`;
}

/**
 * Returns the start time of a process, which tells apart processes with the same id. Undefined if it does not exist.
 */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  if (process.platform !== 'linux') return '0';
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // A zombie process holds no lock.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

let place: string | undefined;

/** Identifies the scope in which process ids are unique: one boot of one machine, one container. */
function ownPlace(): string {
  place ??= createHash('sha256')
    .update([hostname(), textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))].join('\n'))
    .update(textOf(() => readlinkSync('/proc/self/ns/pid')))
    .digest('hex')
    .slice(0, 12);
  return place;
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
