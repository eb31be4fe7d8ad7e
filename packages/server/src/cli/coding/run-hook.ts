import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentName, RecallTime } from '../clients/agent-hooks.js';
import { serverAddress } from '../clients/connection-of.js';
import { program } from '../clients/own-command.js';
import type { Environment } from '../config-options.js';
import type { HookEvent } from './hook-event.js';
import type { HookMemory } from './hook-memory.js';
import { placeOf, readPosition, writePosition } from './hook-state.js';
import { keepTurns, type Session, sessionOf } from './keep-session.js';
import { oneAtATime } from './one-at-a-time.js';
import { branchOf, type Project, projectOf } from './project-of.js';
import { readTranscript } from './read-transcript.js';
import { showProject } from './show-project.js';

const pausesMs = [1000, 5000];

export interface HookOptions {
  recall: RecallTime;
  server?: string;
  data?: string;
  tenant: string;
  user: string;
}

/** Returns what the agent is to show its model; undefined for nothing. Outside of repositories, a hook does nothing. */
export async function recallForHook(
  event: HookEvent,
  options: HookOptions,
  environment: Environment,
): Promise<string | undefined> {
  const project = projectOf(event.directory);
  const isAsked = options.recall === 'prompt' || (options.recall === 'start' && event.kind === 'start');
  if (project === undefined || !isAsked || (event.kind !== 'start' && event.kind !== 'prompt')) return undefined;
  const query = event.turns[0]?.text ?? firstQuery(project, branchOf(event.directory));
  return withMemory(project, options, environment, (memory) =>
    showProject(memory, project, query, event.kind === 'start'),
  );
}

/** Nobody has asked anything yet: the branch says best what it will be about. */
function firstQuery({ name }: Project, branch: string | undefined): string {
  const words = (branch ?? '').replace(/[^A-Za-z0-9]+/g, ' ');
  return `${words} decisions, conventions, problems and open work in ${name.split('/').at(-1)}`.trim();
}

/** Whether there is something to keep, for which a process of its own is worth it. */
export function hasToKeep(event: HookEvent): boolean {
  return (
    projectOf(event.directory) !== undefined &&
    (event.transcript !== undefined || event.turns.some(({ id }) => id !== ''))
  );
}

/**
 * Keeps what was said since the last call. What is off the record is passed over for good. Hooks of a session wait for each other: an
 * agent may end its answer and its session at the same time, and what one hook has read is nothing new to the other.
 */
export async function keepForHook(
  agent: AgentName,
  event: HookEvent,
  options: HookOptions,
  environment: Environment,
): Promise<void> {
  const project = projectOf(event.directory);
  if (project === undefined) return;
  const known = sessionOf(agent, event.session);
  await oneAtATime(placeOf(known), async () => {
    const { transcript } = event;
    const read = transcript === undefined ? undefined : await readTranscript(transcript, readPosition(known));
    const turns = read?.turns ?? event.turns.filter(({ id }) => id !== '');
    if (turns.length > 0 && !isOffTheRecord(environment)) {
      const session: Session = { agent, project, branch: branchOf(event.directory), event };
      await tryAgain(() => withMemory(project, options, environment, (memory) => keepTurns(memory, session, turns)));
    }
    if (read !== undefined) writePosition(known, read.end);
  });
}

/** A server may be restarting, or another command may just have closed the store. What was stored before is not stored twice. */
async function tryAgain(work: () => Promise<void>): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch {
      await sleep(pauseMs);
    }
  }
  await work();
}

function isOffTheRecord({ MEMHALL_OFF_THE_RECORD: given = '' }: Environment): boolean {
  return !['', '0', 'false', 'no'].includes(given.toLowerCase());
}

async function withMemory<T>(
  { namespace }: Project,
  options: HookOptions,
  environment: Environment,
  work: (memory: HookMemory) => Promise<T>,
): Promise<T> {
  const memory = await openMemory(namespace, options, environment);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** Each is loaded only when it is used: most hooks only start another process. */
async function openMemory(namespace: string, options: HookOptions, environment: Environment): Promise<HookMemory> {
  if (options.server === undefined) {
    const { openStoreHookMemory } = await import('./store-hook-memory.js');
    return openStoreHookMemory(environment, options, namespace);
  }
  const token = environment.MEMHALL_TOKEN;
  if (token === undefined || token === '') throw new Error('--server requires a token: set MEMHALL_TOKEN');
  const { openServerHookMemory } = await import('./server-hook-memory.js');
  return openServerHookMemory(serverAddress(options.server), token, namespace);
}

/** Starts the same command in a process of its own, which goes on when this one has ended. Resolves when it has its input. */
export function startKeeping(args: readonly string[], input: string): Promise<void> {
  const child = spawn(process.execPath, [program, ...args, '--background'], {
    ...{ detached: true, stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true },
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.stdin?.once('error', fail);
    child.stdin?.end(input, () => {
      child.unref();
      done();
    });
  });
}
