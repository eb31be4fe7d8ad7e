import type { Json } from '@memhall/core';
import { Problem } from '@memhall/core';
import { startEngine } from './composition/start-engine.js';
import { readConfig } from './config/read-config.js';
import { checkLabel } from './engine/memories/memory-input.js';
import { formBacklog } from './engine/memories/refresh-forms.js';
import type { Remembered } from './engine/memories/remember.js';
import type { MemoryScope } from './engine/memories/scope-partitions.js';
import type { MemoryChange } from './engine/memories/update-memory.js';
import { isNamespaceName } from './engine/namespace-names.js';
import type { NamespaceClaims } from './engine/one-memory/namespace-grants.js';
import type { Page } from './engine/page.js';
import { createLogger } from './http/logging.js';
import { OpenEngine } from './open-engine.js';
import type { Memory, MemoryFilter } from './ports/memories.js';
import { UserMemory } from './user-memory.js';

export interface MemhallOptions {
  /** Directory of the embedded database and the generated secrets. Default: `./data`. */
  dataDirectory?: string;
  /** URL of a PostgreSQL database to use instead of the embedded one. */
  databaseUrl?: string;
  /** Default: `local`. */
  embedder?: 'local' | 'openai' | 'none' | `onnx:${string}`;
  /** Ranks the best memories again. Default: `none`. */
  reranker?: 'none' | `onnx:${string}`;
  /** Further settings by variable name, such as `MEMHALL_EMBEDDER_URL`. The process environment is not read. */
  environment?: Readonly<Record<string, string>>;
}

/** A Memhall instance in this process, without HTTP. */
export interface Memhall {
  /**
   * Returns the memory of one user. Names must have 1 to 256 characters without line breaks or other control
   * characters.
   */
  as(who: Identity): UserMemory;
  /**
   * Returns how many memories of a tenant have no vector yet and are found by their words only. Larger batches are
   * embedded after the write.
   */
  pendingEmbeddings(tenant?: string): Promise<number>;
  /** Waits for calls in progress and closes the database. Later calls fail with the code UNAVAILABLE. */
  close(): Promise<void>;
  /** Closes at the end of a block: `await using memhall = await openMemhall()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Who uses the memory, and what they share with others. */
export interface Identity {
  /** Default: `default`. */
  tenant?: string;
  user: string;
  service?: string;
  /** Default: the workspace named after the user. */
  workspace?: string;
  /** The user reads and writes the namespaces of these teams: `team:<id>`. */
  teams?: readonly string[];
  /** The user reads and writes the namespace of the organisation: `org:<id>`. */
  org?: string;
  /** Further namespaces that the user reads and writes. */
  namespaces?: readonly string[];
  /** Narrow the notes of the workspace to those of an agent and a crew. */
  agent?: string;
  crew?: string;
  /** Stores nothing: neither memories nor facts. What is read is as usual. */
  offTheRecord?: boolean;
}

/**
 * Opens Memhall in this process. Call `close` when done; otherwise it closes when the program has nothing left to do.
 * @example
 * const memhall = await openMemhall();
 * const memory = memhall.as({ user: 'me' });
 * await memory.remember('I drink my tea without milk.');
 * const [best] = await memory.recall('What do I take in my tea?');
 */
export async function openMemhall(options: MemhallOptions = {}): Promise<Memhall> {
  const { environment = {}, ...flags } = options;
  const config = readConfig({ logLevel: 'warn', ...flags }, { MEMHALL_EMBEDDER_START: 'wait', ...environment });
  const engine = new OpenEngine(await startEngine(config, createLogger(config.logLevel, config.logFormat)));
  return {
    as(who) {
      engine.checkOpen();
      const { offTheRecord = false, ...names } = who;
      const { tenant = 'default', user, service } = names;
      checkNames({ ...names, tenant });
      const actor = { userId: user, serviceId: service ?? null, roles: [] };
      return new UserMemory(engine, { tenantId: tenant, userId: user, actor }, { ...toClaims(who), offTheRecord });
    },
    pendingEmbeddings: async (tenant = 'default') => (await engine.use((parts) => formBacklog(parts, tenant))).count,
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

/** Throws INVALID_REQUEST. */
function checkNames({ user, teams = [], namespaces = [], ...others }: Omit<Identity, 'offTheRecord'>): void {
  checkLabel('user', user ?? '');
  for (const [name, value] of Object.entries(others)) checkLabel(name, value);
  for (const team of teams) checkLabel('teams', team);
  const unfit = namespaces.find((name) => !isNamespaceName(name));
  if (unfit === undefined) return;
  throw new Problem('INVALID_REQUEST', `"${unfit}" is not a name of a namespace, such as custom:birds.`);
}

function toClaims({ workspace, teams = [], org, namespaces = [], agent, crew }: Identity): NamespaceClaims {
  return {
    workspaceId: workspace ?? null,
    teamIds: teams,
    orgId: org ?? null,
    agentId: agent ?? null,
    crewId: crew ?? null,
    namespaces,
    isOrgRoot: true,
  };
}

export type { GivenFact, PutFact } from './engine/facts/put-fact.js';
export type { FactDetails, FactStatus, FactTimes, SeenFact } from './engine/facts/read-facts.js';
export type { SubjectPage, SubjectSource, TimelineEntry } from './engine/facts/read-subjects.js';
export type { Why } from './engine/one-memory/why-recalled.js';
export type { Fact } from './ports/facts.js';
export type { SubjectSummary } from './ports/subjects.js';
export { type FactOptions, UserFacts } from './user-facts.js';
export {
  type NewMemory,
  type RecallOptions,
  type RecollectedSession,
  type Recollection,
  type RememberInput,
  UserMemory,
  type WhyOptions,
} from './user-memory.js';
export type { Json, Memory, MemoryChange, MemoryFilter, MemoryScope, Page, Remembered };
