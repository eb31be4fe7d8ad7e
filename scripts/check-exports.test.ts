import { describe, expect, it } from 'vitest';
import { findUnusedExports } from './check-exports.mjs';

const source = {
  path: 'packages/core/src/a.ts',
  text: 'export function used() {}\nexport interface Unused {}\nexport const tested = (value: Unused) => value;\n',
};

describe('the check of exports', () => {
  it('reports what no other file names', () => {
    const user = { path: 'packages/core/src/b.ts', text: "import { used } from './a.js';" };
    const test = { path: 'packages/core/src/a.test.ts', text: "import { tested } from './a.js';" };
    expect(findUnusedExports([source], [source, user, test])).toEqual([
      'packages/core/src/a.ts: Unused is used in this file only: do not export it',
    ]);
  });

  it('reports what threads could not call', () => {
    const tasks = {
      path: 'packages/core/src/c.ts',
      text: `export function found() {}
function named() {}
function hidden() {}
export const one = { module: import.meta.url, name: named.name };
export const other = {
  module: import.meta.url,
  run: hidden,
};
const third = { module: import.meta.url, run: found };
`,
    };
    const user = { path: 'packages/core/src/b.ts', text: 'one; other;' };
    expect(findUnusedExports([tasks], [tasks, user])).toEqual([
      'packages/core/src/c.ts: named runs in a thread: export it',
      'packages/core/src/c.ts: hidden runs in a thread: export it',
    ]);
  });

  it('takes no part of a longer name for a use', () => {
    const user = { path: 'packages/core/src/b.ts', text: 'used; tested; UnusedToo;' };
    expect(findUnusedExports([source], [source, user])).toHaveLength(1);
  });
});
