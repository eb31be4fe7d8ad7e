import { uuidv7 } from '@memhall/core';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type RunningEngine, startEngine } from '../../src/composition/start-engine.js';
import type { Caller } from '../../src/engine/caller.js';
import type { TestDatabase } from './databases.js';

/** Runs an engine for a suite. */
export function useEngine(
  database: () => TestDatabase,
  settings: Record<string, string> | (() => Record<string, string>) = {},
): () => RunningEngine {
  let running: RunningEngine | undefined;
  beforeAll(async () => {
    const given = typeof settings === 'function' ? settings() : settings;
    running = await startEngine(database().config(given), pino({ level: 'silent' }));
  });
  afterAll(() => running?.close());
  return () => {
    if (running === undefined) throw new Error('the engine is there only while tests run');
    return running;
  };
}

export function callerOf(userId: string, tenantId = 't1', namespaces: readonly string[] = []): Caller {
  const actor = { userId, serviceId: null, roles: [] };
  return {
    tenantId,
    userId,
    actor,
    namespaces,
    writableNamespaces: namespaces,
    operation: 'test',
    requestId: uuidv7(),
  };
}
