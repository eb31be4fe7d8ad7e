import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { branchOf, nameOfAddress, projectOf } from './project-of.js';

const root = mkdtempSync(join(tmpdir(), 'memhall-project-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('nameOfAddress', () => {
  it.each([
    ['https://github.com/acme/web.git', 'github.com/acme/web'],
    ['https://ann:ghp_secret@GitHub.com/acme/web', 'github.com/acme/web'],
    ['https://token@example.com:8443/a/b/c.git/', 'example.com/a/b/c'],
    ['git@github.com:acme/web.git', 'github.com/acme/web'],
    ['ssh://git@github.com:22/acme/web.git', 'github.com/acme/web'],
    ['github.com:acme/web', 'github.com/acme/web'],
    ['git://host/x', 'host/x'],
    ['/srv/git/web.git', undefined],
    ['../web', undefined],
    ['file:///srv/git/web.git', undefined],
    ['C:\\repos\\web', undefined],
    ['https://example.com/', undefined],
  ])('of %s is %s', (address, name) => {
    expect(nameOfAddress(address)).toBe(name);
  });
});

describe('projectOf', () => {
  it('is the remote origin of the repository around a directory', () => {
    write(
      'one/.git/config',
      '[core]\n\tbare = false\n[remote "fork"]\n\turl = git@github.com:ann/web.git\n[remote "origin"]\n\turl = https://x:secret@github.com/acme/web.git\n[branch "main"]\n\tremote = origin\n',
    );
    write('one/.git/HEAD', 'ref: refs/heads/login-page\n');
    mkdirSync(join(root, 'one/packages/a'), { recursive: true });
    const project = { name: 'github.com/acme/web', namespace: 'project:github.com:acme:web' };
    expect(projectOf(join(root, 'one/packages/a'))).toEqual(project);
    expect(branchOf(join(root, 'one'))).toBe('login-page');

    write('tree/.git', `gitdir: ${join(root, 'one/.git/worktrees/tree')}\n`);
    write('one/.git/worktrees/tree/commondir', '../..\n');
    write('one/.git/worktrees/tree/HEAD', 'ref: refs/heads/other\n');
    expect(projectOf(join(root, 'tree'))).toEqual(project);
    expect(branchOf(join(root, 'tree'))).toBe('other');
  });

  it('without a remote is the folder itself, and without a repository there is none', () => {
    write('two words/.git/config', '[core]\n');
    const project = projectOf(join(root, 'two words'));
    expect(project?.name).toMatch(/^local\/two words-[0-9a-f]{12}$/);
    expect(project?.namespace).toMatch(/^project:local:two-words-[0-9a-f]{12}-[0-9a-f]{12}$/);
    mkdirSync(join(root, 'none'));
    expect(projectOf(join(root, 'none'))).toBeUndefined();
    expect(branchOf(join(root, 'none'))).toBeUndefined();
  });
});
