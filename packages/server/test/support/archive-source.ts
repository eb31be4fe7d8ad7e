import { randomUUID } from 'node:crypto';
import type { Engine } from '../../src/engine/engine.js';
import type { NewMemory } from '../../src/engine/memories/new-memory.js';
import { remember } from '../../src/engine/memories/remember.js';
import { putWorkingValue } from '../../src/engine/state/working-values.js';
import type { Database } from '../../src/store/database.js';
import { type Archives, useArchives } from './archives.js';
import { createTestDatabase, type TestDatabase } from './databases.js';
import { callerOf, useEngine } from './engine.js';

/** A filled database and its archives for suites about export and import. */
export interface ArchiveSource {
  archives: Archives;
  engine(): Engine;
  pool(): Database['pool'];
  newTenant(): string;
  put(tenantId: string, userId: string, key: string, value: string): Promise<unknown>;
  knows(tenantId: string, userId: string, content: string, rest?: Partial<NewMemory>): Promise<unknown>;
  /** Runs `use` with a database of the same kind that no other test uses. */
  elsewhere<T>(use: (target: TestDatabase) => Promise<T>): Promise<T>;
}

export function useArchiveSource(database: () => TestDatabase): ArchiveSource {
  const running = useEngine(database);
  const engine = () => running().engine;
  return {
    archives: useArchives(),
    engine,
    pool: () => running().database.pool,
    newTenant: () => `t-${randomUUID()}`,
    put: (tenantId, userId, key, value) =>
      putWorkingValue(engine(), callerOf(userId, tenantId), {
        ...{ planId: 'p', key, value, ttlSeconds: undefined },
        precondition: { kind: 'none' },
      }),
    knows: (tenantId, userId, content, rest = {}) =>
      remember(engine(), callerOf(userId, tenantId, ['team:a']), { content, kind: 'fact', ...rest }),
    async elsewhere(use) {
      const target = await createTestDatabase(database().kind);
      return use(target).finally(() => target.remove());
    },
  };
}
