import { pino } from 'pino';
import { type RunningEngine, startEngine } from '../../../src/composition/start-engine.js';
import type { Config } from '../../../src/config/settings.js';
import type { Engine } from '../../../src/engine/engine.js';
import { ifPresent } from '../../../src/engine/if-present.js';
import { listAny } from '../../../src/engine/one-memory/find-any.js';
import { type Member, toMember } from '../../../src/engine/one-memory/member.js';
import { noClaims } from '../../../src/engine/one-memory/namespace-grants.js';
import { recallAny } from '../../../src/engine/one-memory/recall-any.js';
import { rememberAny } from '../../../src/engine/one-memory/remember-any.js';
import type { Scope } from '../../../src/ports/store.js';
import { forTests } from '../citus/recorder.js';
import { callerOf } from '../engine.js';
import { recordStatements } from '../explain.js';
import type { Reader } from './cast.js';
import { everywhereWord } from './plant.js';

const enter = `${forTests} SELECT set_config('role', 'memhall_app', true), set_config('app.tenant_id', $1, true),
  set_config('app.user_id', $2, true), set_config('app.workspace_id', $3, true), set_config('app.namespaces', $4, true),
  set_config('app.writable_namespaces', $5, true), set_config('app.note_owners', $6, true)`;
const insert = `INSERT INTO memhall.memories (tenant_id, id, user_id, namespace, is_public, kind, content, content_hash, occurred_at,
  created_at, updated_at, analysis, terms, term_count, traits)
  VALUES ($1, gen_random_uuid(), $2, $3, $4, 'note', 'x', 'x', now(), now(), now(), 'x', '', 0, 0)`;
const stop = new Error('recorded, not written');

export type EngineCall = (engine: Engine, member: Member) => Promise<unknown>;

export interface Target {
  tenant: string;
  user: string;
  namespace: string | null;
  isPublic: boolean;
}

/** What the database alone allows, in the transactions that the engine begins, without the engine's own conditions. */
export class WidestView {
  readonly #running: RunningEngine;
  readonly #sent: string[];
  #closed: Promise<void> | undefined;

  private constructor(running: RunningEngine, sent: string[]) {
    this.#running = running;
    this.#sent = sent;
  }

  static async open(config: Config): Promise<WidestView> {
    const sent: string[] = [];
    const options = { shareRunning: true, runJobs: false, tracer: recordStatements(sent) };
    return new WidestView(await startEngine(config, pino({ level: 'silent' }), options), sent);
  }

  /** Can be called more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#running.close();
    return this.#closed;
  }

  async memories(): Promise<{ id: string; content: string }[]> {
    const { rows } = await this.#running.database.pool.query('SELECT id, content FROM memhall.memories');
    return rows;
  }

  /**
   * Returns how many statements each call sends. What a call looks for may be missing. Settings that are remembered for a while are read
   * again at some time, and that counts, too: a call that does not send as many as `wanted` is repeated, and the least counts.
   */
  async countStatements(
    reader: Reader,
    calls: readonly EngineCall[],
    wanted: readonly number[] = [],
  ): Promise<number[]> {
    const counts: number[] = [];
    for (const [place, call] of calls.entries()) {
      let least = await this.#countOnce(reader, call);
      for (let again = 0; again < 2 && least !== (wanted[place] ?? least); again++)
        least = Math.min(least, await this.#countOnce(reader, call));
      counts.push(least);
    }
    return counts;
  }

  async #countOnce(reader: Reader, call: EngineCall): Promise<number> {
    this.#sent.length = 0;
    await ifPresent(call(this.#running.engine, memberOf(reader)));
    return this.#sent.length;
  }

  /** Returns the settings of the transactions in which the engine reads for somebody. */
  async readScopes(reader: Reader): Promise<Scope[]> {
    const scopes: Scope[] = [];
    const engine = this.#recording(scopes, []);
    const member = memberOf(reader);
    await recallAny(engine, member, { text: everywhereWord, limit: 10, forModel: true });
    await listAny(engine, member, { filter: {}, limit: 10 });
    // Notes are screened in transactions of their workspace, for every reader.
    return distinct(scopes.filter(({ userId }) => userId === reader.user));
  }

  /** Returns the settings of the transaction in which the engine writes to a namespace; undefined if it refuses. */
  async writeScope(reader: Reader, namespace: string): Promise<Scope | undefined> {
    const scopes: Scope[] = [];
    const engine = this.#recording([], scopes);
    const input = { content: 'Never written.', kind: 'note', visibility: { namespace } } as const;
    await rememberAny(engine, memberOf(reader), [input]).catch((error: unknown) => {
      if (error !== stop && !(error instanceof Error && 'code' in error && error.code === 'FORBIDDEN')) throw error;
    });
    return scopes[0];
  }

  /** Returns the ids that each statement without any condition reaches. */
  async reach(scope: Scope): Promise<{ read: string[]; updated: string[]; deleted: string[] }> {
    const run = (sql: string) =>
      this.#inScope(scope, async (query) => (await query<{ id: string }>(sql)).map(({ id }) => id));
    return {
      read: await run('SELECT id FROM memhall.memories'),
      updated: await run("UPDATE memhall.memories SET content = 'changed' RETURNING id"),
      deleted: await run('DELETE FROM memhall.memories RETURNING id'),
    };
  }

  /** Returns the targets to which the database lets the transaction add a memory. */
  async additions(scope: Scope, targets: readonly Target[]): Promise<Target[]> {
    const reached: Target[] = [];
    for (const target of targets) {
      const { tenant, user, namespace, isPublic } = target;
      const add = this.#inScope(scope, (query) => query(insert, [tenant, user, namespace, isPublic]));
      if (await isAllowed(add)) reached.push(target);
    }
    return reached;
  }

  async #inScope<T>(
    scope: Scope,
    work: (query: <R>(sql: string, values?: unknown[]) => Promise<R[]>) => Promise<T>,
  ): Promise<T> {
    const client = await this.#running.database.pool.connect();
    const list = (names: readonly string[] = []) => names.join('\n');
    const { tenantId, userId, workspaceId = '', namespaces, writableNamespaces, noteOwners } = scope;
    try {
      await client.query('BEGIN');
      await client.query(enter, [
        tenantId,
        userId,
        workspaceId,
        list(namespaces),
        list(writableNamespaces),
        list(noteOwners),
      ]);
      return await work(async (sql, values) => (await client.query(sql, values)).rows);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  #recording(reads: Scope[], writes: Scope[]): Engine {
    const { engine } = this.#running;
    const store = new Proxy(engine.store, {
      get(inner, name) {
        const value = Reflect.get(inner, name);
        if (name === 'write') {
          return (scope: Scope) => {
            writes.push(scope);
            return Promise.reject(stop);
          };
        }
        if (name !== 'read') return typeof value === 'function' ? value.bind(inner) : value;
        return (scope: Scope, work: never) => {
          reads.push(scope);
          return inner.read(scope, work);
        };
      },
    });
    return { ...engine, store };
  }
}

async function isAllowed(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    const refusedByPolicy = '42501';
    if ((error as { code?: string }).code === refusedByPolicy) return false;
    throw error;
  }
}

function memberOf({ tenant, user, service, workspace, teams, org, orgRoot, namespaces, agent, crew }: Reader): Member {
  const caller = callerOf(user, tenant);
  const actor = { ...caller.actor, roles: service === undefined ? [] : [service.role] };
  return toMember(
    { ...caller, actor },
    {
      ...noClaims,
      workspaceId: workspace ?? null,
      teamIds: teams ?? [],
      orgId: org ?? null,
      isOrgRoot: orgRoot ?? false,
      namespaces: namespaces ?? [],
      agentId: agent ?? null,
      crewId: crew ?? null,
    },
  );
}

function distinct(scopes: readonly Scope[]): Scope[] {
  const keys = scopes.map(({ since: _, operation: __, ...settings }) => JSON.stringify(settings));
  return scopes.filter((__, place) => keys.indexOf(keys[place] ?? '') === place);
}
