import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, runProgram } from './support/command.js';

const root = mkdtempSync(join(tmpdir(), 'memhall-install-'));
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

const environment = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_CONFIG_HOME: '', PATH: '' };
const run = (...args: string[]) => runCommand(['mcp', ...args], environment);

const files: Record<string, string> = {
  claude: '.claude.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
};
const servers: Record<string, string> = { vscode: 'servers', codex: 'mcp_servers' };
/** What a client fills in. */
const reference = (name: string) => `\${${name}}`;
const pathOf = (client: string) => join(home, files[client] ?? '');

function put(client: string, text: string): string {
  const path = pathOf(client);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

// biome-ignore lint/suspicious/noExplicitAny: configurations are looked at, not typed
function entryIn(client: string, name = 'memhall'): any {
  const text = readFileSync(pathOf(client), 'utf8');
  const all = client === 'codex' ? parseToml(text) : parseJsonc(text);
  return all[servers[client] ?? 'mcpServers']?.[name];
}

const others: Record<string, string[]> = {
  claude: [
    '{"numStartups":3,"mcpServers":{"other":{"command":"x","env":{"KEY":"secret"}}}}',
    '{\n\t"a": 1\n}\n',
    '{}',
    '',
  ],
  cursor: ['{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n', '\uFEFF{\r\n  "mcpServers": {}\r\n}\r\n'],
  vscode: [
    '{\n    // Of the team.\n    "inputs": [{ "id": "k", "type": "promptString" }],\n    "servers": {\n        /* one */\n        "other": { "url": "https://x.example" }, // last\n    },\n}\n',
    '{ "servers": {} }',
  ],
  codex: [
    'model = "o3" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n# About profiles.\n[profiles.fast]\nmodel = "o4"\n',
    'notify = ["a",\n  "[mcp_servers.memhall]",\n]',
    '',
  ],
  gemini: ['{\n  "theme": "dark"\n}\n'],
};
const cases = Object.entries(others).flatMap(([client, texts]) => texts.map((text) => [client, text] as const));

describe('memhall mcp install', () => {
  it.each(Object.keys(files))(
    'makes a file for %s that only its owner can read, and removes it again',
    async (client) => {
      const { code, stdout } = await run('install', client, '--yes');
      expect(stdout).toContain('Restart');
      expect(code).toBe(0);
      expect(statSync(pathOf(client)).mode & 0o777).toBe(0o600);
      const { command, args } = entryIn(client);
      expect(command).toBe(process.execPath);
      expect(args.slice(1)).toEqual(['mcp', '--data', join(home, '.memhall')]);
      expect(existsSync(args[0])).toBe(true);
      expect((await run('install', client, '--yes')).stdout).toContain('has this entry already');
      expect((await run('uninstall', client, '--yes')).code).toBe(0);
      expect(existsSync(pathOf(client))).toBe(false);
    },
  );

  it.each(cases)('keeps what %s has, and uninstall restores it exactly: %.40j', async (client, text) => {
    const path = put(client, text);
    chmodSync(path, 0o644);
    const shown = (await run('install', client, '--server', 'https://memory.example.com/base/', '--yes')).stdout;
    expect(shown).toMatch(/^\+.*memhall/m);
    const written = readFileSync(path, 'utf8');
    for (const comment of text.match(/(\/\/|#|\/\*) [^\n]*/g) ?? []) expect(written).toContain(comment);
    expect(entryIn(client)).toBeDefined();
    if (text.includes('"other"')) expect(entryIn(client, 'other')).toBeDefined();
    expect(JSON.stringify(entryIn(client))).toContain('https://memory.example.com/base/mcp');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readFileSync(`${path}.memhall-backup`, 'utf8')).toBe(text);
    expect(statSync(`${path}.memhall-backup`).mode & 0o777).toBe(0o600);
    await run('install', client, '--user', 'ann', '--yes');
    expect(entryIn(client).args.slice(-2)).toEqual(['--user', 'ann']);
    expect((await run('uninstall', client, '--yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.memhall-backup`)).toBe(false);
  });

  it('keeps what a client has changed since', async () => {
    const path = put('claude', '{"numStartups":3}');
    await run('install', 'claude', '--yes');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"numStartups": ?3/, '"numStartups": 4'));
    await run('uninstall', 'claude', '--yes');
    expect(parseJsonc(readFileSync(path, 'utf8'))).toEqual({ numStartups: 4, mcpServers: {} });
    const codex = put('codex', '');
    await run('install', 'codex', '--yes');
    writeFileSync(
      codex,
      `${readFileSync(codex, 'utf8')}\n# Mine.\n[mcp_servers.memhall.env]\nA = "b"\n\n# Other.\n[tools]\nx = 1\n`,
    );
    await run('uninstall', 'codex', '--yes');
    expect(readFileSync(codex, 'utf8')).toBe('\n# Other.\n[tools]\nx = 1\n');
  });

  it('never writes a token', async () => {
    const references = {
      claude: `Bearer ${reference('MEMHALL_TOKEN')}`,
      cursor: `Bearer ${reference('env:MEMHALL_TOKEN')}`,
      vscode: `Bearer ${reference('input:memhall-token')}`,
      gemini: `Bearer ${reference('MEMHALL_TOKEN')}`,
    };
    for (const [client, reference] of Object.entries(references)) {
      await run('install', client, '--server', 'http://127.0.0.1:8010', '--yes');
      expect(entryIn(client).headers).toEqual({ Authorization: reference });
      expect(readFileSync(pathOf(client), 'utf8').includes('promptString')).toBe(client === 'vscode');
      await run('install', client, '--server', 'http://127.0.0.1:8010', '--oauth', '--yes');
      expect(entryIn(client)).not.toHaveProperty('headers');
    }
    await run('install', 'codex', '--server', 'http://127.0.0.1:8010', '--yes');
    expect(entryIn('codex')).toEqual({ url: 'http://127.0.0.1:8010/mcp', bearer_token_env_var: 'MEMHALL_TOKEN' });
  });

  it('writes to the project without paths of this machine, and through links', async () => {
    const project = join(home, 'project');
    mkdirSync(join(project, '.vscode'), { recursive: true });
    writeFileSync(join(project, 'shared.json'), '{}');
    symlinkSync(join(project, 'shared.json'), join(project, '.vscode', 'mcp.json'));
    const before = process.cwd();
    process.chdir(project);
    try {
      for (const client of ['claude', 'vscode']) await run('install', client, '--scope', 'project', '--yes');
    } finally {
      process.chdir(before);
    }
    expect(parseJsonc(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers.memhall).toEqual({
      ...{ type: 'stdio', command: 'memhall', args: ['mcp', '--data', `${reference('HOME')}/.memhall`] },
    });
    expect(parseJsonc(readFileSync(join(project, 'shared.json'), 'utf8')).servers.memhall.args).toContain(
      `${reference('userHome')}/.memhall`,
    );
    expect(existsSync(pathOf('claude'))).toBe(false);
  });

  it.each([
    ['claude', '{ "a": }', 'is not valid JSON (ValueExpected in line 1)'],
    ['cursor', '[1]', 'is not a JSON object'],
    ['codex', 'a = ', 'is not valid TOML'],
    ['codex', 'mcp_servers = { memhall = { command = "x" } }\n', 'cannot change. Change it by hand'],
  ])('leaves a file of %s alone that it cannot read: %j', async (client, text, message) => {
    const path = put(client, text);
    const { code, stderr } = await run('install', client, '--yes');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('shows the change and writes nothing unless it is told to', async () => {
    const path = put('claude', '{}');
    const { code, stdout, stderr } = await runProgram(['mcp', 'install', 'claude'], { ...environment, HOME: home });
    expect(stdout).toContain('+    "memhall": {');
    expect(stderr).toContain('Add --yes');
    expect(code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('{}');
  });

  it('prints one line of JSON if asked to, and shows the change beside it', async () => {
    const path = put('claude', '{}');
    const written = await run('install', 'claude', '--yes', '--json');
    expect(JSON.parse(written.stdout)).toEqual({ path, written: true });
    expect(written.stderr).toContain('+    "memhall": {');
    const again = await run('install', 'claude', '--yes', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ path, written: false });
  });

  it('says what is wrong with options', async () => {
    expect((await run('install', 'claude', '--server', 'ftp://x', '--yes')).stderr).toContain('http(s) address');
    expect((await run('install', 'claude', '--oauth', '--yes')).stderr).toContain('--oauth requires --server');
    const both = await run('install', 'claude', '--server', 'http://x', '--user', 'ann', '--yes');
    expect(both.stderr).toContain('--user cannot be combined with --server');
    expect((await run('uninstall', 'claude', '--yes')).stderr).toContain('has no MCP server "memhall"');
  });
});
