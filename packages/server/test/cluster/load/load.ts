import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '@memhall/core';
import type { HistoryFile } from '../history/history-file.js';
import { readAuditLog } from './audit-log.js';
import { LoadClient, type Owner, type Told } from './load-client.js';
import {
  addMemory,
  appendNote,
  askForMemories,
  flushEpisode,
  type KnownIds,
  listMemories,
  readNotes,
  removeMemory,
  waysToAdd,
  waysToAsk,
} from './memories.js';
import {
  createDocument,
  documentPaths,
  readDocument,
  readWorkingValue,
  removeWorkingValue,
  swapDocument,
  workingKeys,
  writeWorkingValue,
} from './registers.js';

const clientsPerOwner = 3;
/** Between two requests of a client, on average. */
const pauseMs = 120;
/** How long to go on asking for a final state. */
const finalMs = 60_000;

type Action = (client: LoadClient, known: KnownIds) => Promise<unknown>;

/** What clients do, and how often. */
const mix: readonly [weight: number, action: Action][] = [
  [14, (client) => writeWorkingValue(client, pick(workingKeys))],
  [3, (client) => removeWorkingValue(client, pick(workingKeys))],
  [14, (client) => readWorkingValue(client, pick(workingKeys))],
  [8, (client) => swapDocument(client, pick(documentPaths))],
  [6, (client) => readDocument(client, pick(documentPaths))],
  [14, (client, known) => addMemory(client, pick(waysToAdd), known)],
  [3, (client, known) => removeMemory(client, known)],
  [16, (client) => askForMemories(client, pick(waysToAsk))],
  [2, (client) => flushEpisode(client)],
  [3, (client) => listMemories(client)],
  [4, (client) => appendNote(client)],
  [3, (client) => readNotes(client)],
  [2, (client) => readAuditLog(client)],
  [3, (client) => createState(client)],
];
/** Every action as often as it weighs. */
const actions = mix.flatMap(([weight, action]) => Array<Action>(weight).fill(action));

/** A mixed load of every surface for some owners, until it is stopped. */
export class Load {
  readonly #clients: LoadClient[];
  readonly #known = new Map<Owner, KnownIds>();
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(owners: readonly Owner[], urls: readonly string[], history: HistoryFile) {
    this.#clients = owners.flatMap((owner) => {
      this.#known.set(owner, new Map());
      return Array.from(
        { length: clientsPerOwner },
        (_, index) => new LoadClient(owner, `${owner.tenant}-${owner.user}-${index + 1}`, { urls, history }),
      );
    });
  }

  get unexpected(): string[] {
    return this.#clients.flatMap(({ unexpected }) => unexpected);
  }

  /** One client of each owner creates what the others change. */
  async start(): Promise<void> {
    await Promise.all(this.#ofEachOwner().map((client) => createDocuments(client)));
    this.#running = Promise.all(this.#clients.map((client) => this.#use(client)));
    // A client that fails is reported by `stop`.
    this.#running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Reads everything that the load changed. Throws if that does not succeed within a minute. */
  async readFinalStates(): Promise<void> {
    await Promise.all(this.#ofEachOwner().map((client) => readEverything(client)));
  }

  async #use(client: LoadClient): Promise<void> {
    const known = this.#known.get(client.owner) ?? new Map();
    while (!this.#isStopped) {
      await pick(actions)(client, known);
      await sleep(2 * pauseMs * Math.random());
    }
  }

  #ofEachOwner(): LoadClient[] {
    return this.#clients.filter((_, index) => index % clientsPerOwner === 0);
  }
}

async function createDocuments(client: LoadClient): Promise<void> {
  for (const path of documentPaths) await createDocument(client, path);
}

/** Plans, sessions and task contexts: that each was created once shows in the audit log. */
async function createState(client: LoadClient): Promise<void> {
  const id = uuidv7();
  const [path, body] = pick<[string, Record<string, unknown>]>([
    ['plans', { plan_id: id, goal_event: 'go' }],
    ['sessions', { session_id: id }],
    ['task-context', { task_id: id, event_type: 'go', sub_tasks: ['a'] }],
  ]);
  client.recordAudit(await client.call({ method: 'POST', path: `/v1/memory/${path}`, body }));
}

async function readEverything(client: LoadClient): Promise<void> {
  const isTold = async (told: Promise<Told>) => (await told).outcome !== 'unknown';
  const reads = [
    ...workingKeys.map((key) => () => isTold(readWorkingValue(client, key))),
    ...documentPaths.map((path) => () => isTold(readDocument(client, path))),
    () => listMemories(client),
    () => readNotes(client),
    () => readAuditLog(client),
  ];
  const deadline = performance.now() + finalMs;
  for (const read of reads) {
    while (!(await read())) {
      if (performance.now() > deadline) throw new Error(`the final state of ${client.ownerName} cannot be read`);
      await sleep(500);
    }
  }
}

function pick<T>(among: readonly T[]): T {
  return among[Math.floor(Math.random() * among.length)] as T;
}
