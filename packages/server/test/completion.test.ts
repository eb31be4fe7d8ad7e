import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, runProgram } from './support/command.js';

const directory = mkdtempSync(join(tmpdir(), 'memhall-completion-'));
const scriptOf = (shell: string) => join(directory, shell === 'zsh' ? '_memhall' : `memhall.${shell}`);
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(scriptOf(shell), stdout);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function isInstalled(shell: string): boolean {
  if (spawnSync(shell, ['-c', 'true']).status === 0) return true;
  if (process.env.MEMHALL_REQUIRE_SHELLS !== undefined) {
    throw new Error(`MEMHALL_REQUIRE_SHELLS is set, but ${shell} is not installed here`);
  }
  process.stdout.write(`Without ${shell}: its completion is not tested.\n`);
  return false;
}

function run(shell: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', timeout: 30_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** Returns what a shell proposes for the last of the words. */
const propose = {
  bash(...words: string[]): string[] {
    const typed = ['memhall', ...words].map((word) => `'${word}'`).join(' ');
    const call = `source ${scriptOf('bash')}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _memhall; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', call]).split('\n').filter(Boolean);
  },
  fish(...words: string[]): string[] {
    const typed = ['memhall', ...words].join(' ');
    const call = `source ${scriptOf('fish')}; complete -C '${typed}'`;
    const lines = run('fish', ['--no-config', '-c', call]).split('\n').filter(Boolean);
    return lines.map((line) => line.split('\t')[0] ?? '');
  },
};

describe.each(['bash', 'fish'] as const)('completion in %s', (shell) => {
  it('proposes commands, options and their values', () => {
    if (!isInstalled(shell)) return;
    expect(propose[shell]('jo')).toEqual(['jobs']);
    expect(propose[shell]('jobs', 'list', '--sta')).toEqual(['--state']);
    expect(propose[shell]('jobs', 'list', '--state', '').sort()).toEqual([
      'done',
      'failed',
      'retrying',
      'running',
      'waiting',
    ]);
    expect(propose[shell]('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(propose[shell]('serve', '--log-format', 't')).toEqual(['text']);
    // The value of an option is no command.
    expect(propose[shell]('token', '--tenant', 'list', '--cl')).toEqual(['--claim']);
    expect(propose[shell]('jobs', '--help', 'nosuch')).toEqual([]);
  });

  it('proposes files and directories where they belong', () => {
    if (!isInstalled(shell)) return;
    const [found] = propose[shell]('serve', '--data', directory.slice(0, -1));
    expect(found?.replace(/\/$/, '')).toBe(directory);
    expect(propose[shell]('import', '--input', scriptOf('bash').slice(0, -1))).toEqual([scriptOf('bash')]);
  });
});

describe('completion in zsh', () => {
  it('completes a line in an interactive shell', () => {
    if (!isInstalled('zsh')) return;
    const typing = join(directory, 'typing.zsh');
    writeFileSync(
      typing,
      String.raw`zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -U compinit; compinit -D -u; fpath=(${directory} \$fpath); source ${scriptOf('zsh')}; echo RE''ADY"
zpty -r shell out '*READY*'
zpty -n -w shell $'memhall jo\tli\t --sta\t fa\t; echo D\'\'ONE\n'
zpty -r shell out '*DONE*'
print -r -- "$out"
`,
    );
    const shown = stripVTControlCharacters(run('zsh', ['-f', typing])).replace(/[\b\r]/g, '');
    expect(shown).toMatch(/jobs\s+list\s+--state\s+failed/);
  });
});

it('an unknown shell is refused with the known ones', async () => {
  const { code, stderr } = await runProgram(['completion', 'csh']);
  expect(code).toBe(1);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
