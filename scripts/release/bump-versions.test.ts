import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { bumpVersions, labelled, versioned } from './bump-versions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the version of a release', () => {
  const copy = mkdtempSync(join(tmpdir(), 'memhall-bump-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  it('is that of every package, and of every dependency between them', () => {
    const directories = [
      '.',
      'models/minilm',
      ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
    ];
    for (const directory of new Set([...directories, ...versioned])) {
      mkdirSync(join(copy, directory), { recursive: true });
      cpSync(join(root, directory, 'package.json'), join(copy, directory, 'package.json'));
    }
    for (const path of labelled) cpSync(join(root, path), join(copy, path), { recursive: true });
    bumpVersions(copy, '9.8.7');
    for (const path of labelled)
      expect(readFileSync(join(copy, path), 'utf8')).toMatch(/^ *(version|image)\b.*9\.8\.7/m);
    expect(readFileSync(join(copy, 'deploy/helm/memhall/Chart.yaml'), 'utf8')).toContain('\nappVersion: 9.8.7\n');
    for (const directory of directories) {
      const { version, dependencies = {} } = JSON.parse(readFileSync(join(copy, directory, 'package.json'), 'utf8'));
      const between = Object.keys(dependencies).filter((name) => name.startsWith('@memhall/'));
      expect({ directory, versions: new Set([version, ...between.map((name) => dependencies[name])]) }).toEqual({
        directory,
        versions: new Set(['9.8.7']),
      });
    }
  });
});
