import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, runProgram } from './support/command.js';

const root = mkdtempSync(join(tmpdir(), 'memhall-agents-'));
const { HOME } = process.env;
let home: string;
let count = 0;

beforeEach(() => {
  home = join(root, `home-${count++}`);
  mkdirSync(home);
  process.env.HOME = home;
});
afterAll(() => {
  if (HOME === undefined) delete process.env.HOME;
  else process.env.HOME = HOME;
  rmSync(root, { recursive: true, force: true });
});

const environment = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', PATH: '' };
const run = (...args: string[]) => runCommand(args, environment);

/** Files of the MCP servers and of the hooks, and the events. */
const agents = {
  'claude-code': ['.claude.json', '.claude/settings.json', ['SessionStart', 'Stop', 'SessionEnd']],
  codex: ['.codex/config.toml', '.codex/hooks.json', ['SessionStart', 'UserPromptSubmit', 'Stop']],
  cursor: ['.cursor/mcp.json', '.cursor/hooks.json', ['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse']],
  gemini: ['.gemini/settings.json', '.gemini/settings.json', ['SessionStart', 'AfterAgent']],
} as const;
const cases = Object.entries(agents).map(([agent, [mcp, hooks, events]]) => ({ agent, mcp, hooks, events }));

const text = (path: string) => readFileSync(join(home, path), 'utf8');
const read = (path: string) => (path.endsWith('.toml') ? parseToml(text(path)) : parseJsonc(text(path)));
// biome-ignore lint/suspicious/noExplicitAny: configurations are looked at, not typed
const commandIn = (entry: any): string => entry.command ?? entry.hooks[0].command;

function put(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

describe('memhall install', () => {
  it.each(cases)('adds hooks and the MCP server to $agent, once, and uninstall removes them', async (one) => {
    const { agent, mcp, hooks, events } = one;
    const { code, stdout } = await run('install', agent, '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`To undo this: memhall uninstall ${agent}`);
    const installed = read(hooks).hooks;
    expect(Object.keys(installed)).toEqual(events);
    for (const entries of Object.values(installed) as object[][]) {
      expect(entries).toHaveLength(1);
      expect(commandIn(entries[0])).toMatch(new RegExp(`memhall.* hook ${agent} --data ${home}/\\.memhall$`));
    }
    expect(text(mcp)).toContain('--project');
    if (agent === 'cursor') expect(read(hooks).version).toBe(1);
    expect((await run('install', agent, '--yes')).stdout).toContain('has all of this already');
    await run('install', agent, '--server', 'https://memory.example.com/', '--recall', 'never', '--yes');
    for (const entries of Object.values(read(hooks).hooks) as object[][]) {
      expect(entries).toHaveLength(1);
      expect(commandIn(entries[0])).toMatch(/ --server https:\/\/memory\.example\.com --recall never$/);
    }
    expect((await run('uninstall', agent, '--yes')).code).toBe(0);
    expect([existsSync(join(home, mcp)), existsSync(join(home, hooks))]).toEqual([false, false]);
    expect((await run('uninstall', agent, '--yes')).stderr).toContain('Nothing of Memhall is installed');
  });

  const others: Record<string, [string, string][]> = {
    'claude-code': [
      ['.claude.json', '{"numStartups":3}'],
      [
        '.claude/settings.json',
        '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  },\n  "model": "opus"\n}\n',
      ],
    ],
    codex: [
      ['.codex/config.toml', 'model = "o3" # mine\n'],
      ['.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}]}}'],
    ],
    cursor: [['.cursor/hooks.json', '{ "version": 1, "hooks": { "stop": [{ "command": "./x.sh" }] } }\n']],
    gemini: [
      [
        '.gemini/settings.json',
        '{\n  // Mine.\n  "theme": "dark",\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
      ],
    ],
  };

  it.each(Object.keys(others))('keeps what %s has, and uninstall restores it exactly', async (agent) => {
    for (const [path, content] of others[agent] ?? []) put(path, content);
    expect((await run('install', agent, '--yes')).code).toBe(0);
    for (const [path, content] of others[agent] ?? []) {
      expect(text(path)).toContain('memhall');
      for (const kept of content.match(/say done|"say"|\.\/x\.sh|\/\/ Mine|# mine|"other"/g) ?? []) {
        expect(text(path)).toContain(kept);
      }
    }
    await run('install', agent, '--user', 'ann', '--yes');
    expect((await run('uninstall', agent, '--yes')).code).toBe(0);
    for (const [path, content] of others[agent] ?? []) expect(text(path)).toBe(content);
  });

  it('keeps what was changed since', async () => {
    put('.claude/settings.json', '{ "model": "opus" }');
    await run('install', 'claude-code', '--yes');
    put('.claude/settings.json', text('.claude/settings.json').replace('"opus"', '"sonnet"'));
    await run('uninstall', 'claude-code', '--yes');
    expect(read('.claude/settings.json')).toEqual({ model: 'sonnet', hooks: {} });
  });

  it('shows everything and writes nothing unless it is told to', async () => {
    const { code, stdout, stderr } = await runProgram(['install', 'claude-code'], { ...environment, HOME: home });
    expect(stdout).toMatch(/\+\+\+ .*\.claude\.json[\s\S]*\+\+\+ .*settings\.json/);
    expect(stderr).toContain('Add --yes');
    expect(code).toBe(1);
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
  });

  it('writes to a project without paths of this machine', async () => {
    const project = join(home, 'project');
    mkdirSync(project);
    const before = process.cwd();
    process.chdir(project);
    try {
      await run('install', 'cursor', '--scope', 'project', '--yes');
    } finally {
      process.chdir(before);
    }
    const { hooks } = read('project/.cursor/hooks.json');
    expect(commandIn(hooks.sessionStart[0])).toBe('memhall hook cursor --data "$HOME/.memhall"');
    expect(text('project/.cursor/mcp.json')).not.toContain(home);
  });

  it('says what is wrong', async () => {
    expect((await run('install', 'vim', '--yes')).stderr).toContain('Allowed choices are claude-code, codex');
    expect((await run('install', 'cursor', '--recall', 'prompt', '--yes')).stderr).toContain('Use --recall start');
    put('.claude/settings.json', '{ "hooks": [] }');
    expect((await run('install', 'claude-code', '--yes')).stderr).toContain('"hooks" of');
    const both = await run('install', 'codex', '--server', 'http://x', '--user', 'ann', '--yes');
    expect(both.stderr).toContain('--user cannot be combined with --server');
  });
});
