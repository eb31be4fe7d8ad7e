import { describe, expect, it } from 'vitest';
import { findEmptyRooms, findRuleFaults, findViolations, importsOf } from './check-imports.mjs';
import { engineRooms, layers } from './rooms.mjs';

const server = 'packages/server/src';

function violationsOf(path: string, text: string): string[] {
  return findViolations([{ path, text }]);
}

describe('the import rule', () => {
  it('reads every form of import', () => {
    const text = `import a from 'a';\nimport { b,\n  c } from "./b.js";\nimport type { D } from '../d.js';\nexport { e } from './e.js';\nimport 'f';\nawait import('./g.js');`;
    expect(importsOf(text)).toEqual([
      { specifier: 'a', typeOnly: false },
      { specifier: './b.js', typeOnly: false },
      { specifier: '../d.js', typeOnly: true },
      { specifier: './e.js', typeOnly: false },
      { specifier: 'f', typeOnly: false },
      { specifier: './g.js', typeOnly: false },
    ]);
  });

  it.each([
    [`${server}/engine/state/x.ts`, `import { Pool } from '../../store/database.js';`, 'engine must not import store'],
    [`${server}/engine/x.ts`, `import type { Route } from '../http/route.js';`, 'engine must not import http'],
    [`${server}/store/x.ts`, `import { mutate } from '../engine/audit/mutate.js';`, 'store must not import engine'],
    [
      `${server}/surfaces/plugin/x.ts`,
      `import { y } from '../../store/postgres/y.js';`,
      'surfaces must not import store',
    ],
    [`${server}/surfaces/plugin/x.ts`, `import { y } from '../gateway/y.js';`, 'a surface must not import another'],
    [`${server}/http/x.ts`, `import { y } from '../main.js';`, 'http must not import main'],
    [`${server}/ports/x.ts`, `export { y } from '../engine/y.js';`, 'ports must not import engine'],
    [`${server}/odd/x.ts`, `import { y } from '../engine/y.js';`, 'no rule for the folder odd'],
    [`${server}/engine/x.ts`, `import { y } from '../../../client/src/y.js';`, 'leaves its package'],
    [`${server}/engine/x.ts`, `import { y } from '@memhall/client';`, 'package server must not import it'],
    ['packages/client/src/x.ts', `import { y } from 'lodash';`, 'the client has no dependencies'],
    ['packages/core/src/x.ts', `import { y } from 'node:fs';`, 'core has no I/O'],
    [`${server}/engine/x.ts`, 'const url = process.env.URL;', 'uses process.env'],
    [`${server}/engine/state/index.ts`, '', 'public entry only'],
    [
      `${server}/engine/memories/x.ts`,
      `import { y } from '../tiers/y.js';`,
      'engine/memories must not import engine/tiers',
    ],
    [
      `${server}/engine/documents/x.ts`,
      `import type { Y } from '../governance/y.js';`,
      'engine/documents must not import engine/governance',
    ],
    [
      `${server}/engine/memories/index/x.ts`,
      `import { y } from '../recall/y.js';`,
      'engine/memories/index must not import engine/memories/recall',
    ],
    [`${server}/engine/x.ts`, `import { y } from './state/y.js';`, 'files directly in engine must not import'],
    [`${server}/engine/engine.ts`, `import { y } from './state/y.js';`, 'files directly in engine must not import'],
    [`${server}/engine/odd/x.ts`, `import { y } from '../audit/y.js';`, 'no rule for the folder engine/odd'],
    [`${server}/engine/state/x.ts`, 'await engine.store.write(scope, work);', 'calls store.write itself'],
    [`${server}/jobs/x.ts`, 'await store.administer(tenantId, work);', 'calls store.administer itself'],
    [`${server}/surfaces/admin/x.ts`, 'await engine.store\n  .erase(scope, work);', 'calls store.erase itself'],
    [`${server}/cli/x.ts`, 'await openStore.restore(scope, work);', 'calls store.restore itself'],
  ])('refuses %s: %s', (path, text, reason) => {
    const violations = violationsOf(path, text);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(reason);
  });

  it.each([
    [
      `${server}/engine/state/x.ts`,
      `import type { Store } from '../../ports/store.js'; import { Problem } from '@memhall/core';`,
    ],
    [`${server}/surfaces/plugin/x.ts`, `import { y } from '../../engine/y.js'; import { z } from './z.js';`],
    [`${server}/composition/x.ts`, `import { y } from '../store/y.js';`],
    [`${server}/cli/x.ts`, `import { toY } from '../surfaces/provider/to-y.js';`],
    [`${server}/engine/x.test.ts`, `import { y } from '../store/y.js';`],
    [`${server}/engine/events/x.ts`, `import { y } from '../memories/recall/y.js';`],
    [`${server}/engine/engine.ts`, `import type { Y } from './state/y.js';`],
    [`${server}/engine/audit/x.ts`, 'await engine.store.write(scope, work);'],
    [`${server}/engine/governance/x.ts`, 'await engine.store.erase(scope, work);'],
    [`${server}/engine/state/x.ts`, 'await engine.store.read(scope, work);'],
  ])('lets %s pass', (path, text) => {
    expect(violationsOf(path, text)).toEqual([]);
  });

  it('finds a cycle, but not one of types only', () => {
    const a = { path: `${server}/engine/a.ts`, text: `import { b } from './b.js';` };
    const back = (keyword: string) => ({ path: `${server}/engine/b.ts`, text: `${keyword} { a } from './a.js';` });
    expect(findViolations([a, back('import')])).toEqual([
      `cycle: ${server}/engine/a.ts → ${server}/engine/b.ts → ${server}/engine/a.ts`,
    ]);
    expect(findViolations([a, back('import type')])).toEqual([]);
  });

  it('refuses rules that let rooms import each other, or rooms that do not exist', () => {
    expect(findRuleFaults(engineRooms)).toEqual([]);
    expect(findRuleFaults(layers)).toEqual([]);
    const room = (...uses: string[]) => ({ purpose: 'Planted.', uses });
    expect(findRuleFaults({ a: room('b'), b: room('c'), c: room('a') })).toEqual(['cycle: a → b → c → a']);
    expect(findRuleFaults({ a: room('gone') })).toEqual(['rule of a: there is no gone']);
  });

  it('reports rooms without a file', () => {
    expect(findEmptyRooms([{ path: `${server}/engine/audit/mutate.ts`, text: '' }])).not.toContain('audit');
    expect(findEmptyRooms([])).toContain('audit');
  });
});
