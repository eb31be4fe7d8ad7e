import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderTimeout } from '../provider-errors.js';
import type { OpenDirectory } from './open-directory.js';

const pattern = /^(\d{12})-([0-9a-f]{12})-(\d+)-(\d+)-[0-9a-f-]{36}$/;
const shortestPauseMs = 1;
const longestPauseMs = 20;
/** Whether the holder of a ticket lives is unknown on another machine; it renews the ticket while it waits. */
const foreignTicketMs = 60_000;
const renewMs = 10_000;

/**
 * A lock between processes, in the order of asking: each draws a ticket, a file whose name is a number and its process, and
 * waits for lower ones to go. Names are never used twice, so that clearing away the ticket of a process that died cannot
 * hit another's. Drawing is not atomic: who finds a higher ticket after drawing its own may have been overtaken, and draws again.
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

/** A ticket that its owner does not know of would stop everybody for as long as the process lives: it goes on any failure. */
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
    if (Date.now() > deadline) throw new ProviderTimeout('Another process kept the memory locked for too long.');
    if (Date.now() > renewAt) {
      renewAt = Date.now() + renewMs;
      await utimes(directory.pathOf(ticket), new Date(), new Date());
    }
    await sleep(pauseMs);
  }
}

/** Whether anybody is before us. Tickets of the dead are cleared away. */
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

/** When a process began, by which it is told from a later one with its number; undefined when there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  if (process.platform !== 'linux') return '0';
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // A process that was killed and not yet collected holds nothing any more.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

let place: string | undefined;

/** Where process numbers mean the same: one start of one machine, one container. */
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
