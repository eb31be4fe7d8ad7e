import { describe, expect, it } from 'vitest';
import { overrideTables } from '../../ports/override-tables.js';
import type { Tables } from '../../ports/store.js';
import { buildLazily } from './build-lazily.js';

function lazyTables() {
  const built: string[] = [];
  const make = buildLazily<Pick<Tables, 'plans' | 'sessions' | 'replays'>, [string]>({
    plans: (owner) => record<Tables['plans']>('plans', owner),
    sessions: (owner) => record<Tables['sessions']>('sessions', owner),
    replays: (owner) => record<Tables['replays']>('replays', owner),
  });
  function record<T>(name: string, owner: string): T {
    built.push(`${name} of ${owner}`);
    return { name } as T;
  }
  return { built, tables: make('a') as Tables, other: make('b') as Tables };
}

describe('lazy tables', () => {
  it('are built on first use, once in each transaction', () => {
    const { built, tables, other } = lazyTables();
    expect(built).toEqual([]);
    expect(tables.plans).toBe(tables.plans);
    expect(other.plans).not.toBe(tables.plans);
    expect(built).toEqual(['plans of a', 'plans of b']);
  });

  it('stay lazy, and are built once, when some of them are overridden', () => {
    const { built, tables } = lazyTables();
    const replays = { ...tables.replays };
    const overridden = overrideTables(tables, { replays });
    expect(overridden.replays).toBe(replays);
    expect(tables.replays).not.toBe(replays);
    expect(overridden.sessions).toBe(tables.sessions);
    expect(built).toEqual(['replays of a', 'sessions of a']);
  });
});
