import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { program, runCommand } from './support/command.js';
import { runInTerminal } from './support/terminal.js';

const directory = mkdtempSync(join(tmpdir(), 'memhall-config-'));
const home = join(directory, 'home');
const own = join(home, '.config', 'memhall', 'config.json');
mkdirSync(join(home, '.config', 'memhall'), { recursive: true });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** As on a user's machine: nothing says where the file is. */
const atHome = {
  HOME: home,
  XDG_CONFIG_HOME: '',
  APPDATA: '',
  MEMHALL_CONFIG: '',
  MEMHALL_EMBEDDER: '',
  MEMHALL_EMBEDDER_START: '',
  MEMHALL_SHED_DELAY_MS: '',
};

function write(path: string, content: object, mode = 0o600): string {
  writeFileSync(path, JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

async function sourcesOf(args: string[], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(['config', '--json', ...args], { ...atHome, ...environment });
  if (code !== 0) throw new Error(stderr);
  const rows = stdout.split('\n').filter(Boolean);
  const shown = rows.map((row) => JSON.parse(row) as { name: string; value: string; source: string });
  return Object.fromEntries(shown.map(({ name, value, source }) => [name, `${value} from ${source}`]));
}

describe('a configuration file', () => {
  it("is the user's own by default, below variables and flags", async () => {
    write(own, { port: 1111, host: '127.0.0.2', logLevel: 'error', jwtSecret: 'x'.repeat(40) });
    expect(await sourcesOf(['--port', '3'], { MEMHALL_HOST: '127.0.0.3' })).toEqual({
      port: '3 from --port',
      host: '127.0.0.3 from MEMHALL_HOST',
      logLevel: `error from "logLevel" in ${own}`,
      jwtSecret: `(set) from "jwtSecret" in ${own}`,
    });
    const elsewhere = join(directory, 'xdg');
    mkdirSync(join(elsewhere, 'memhall'), { recursive: true });
    const other = write(join(elsewhere, 'memhall', 'config.json'), { port: 2222 });
    expect(await sourcesOf([], { XDG_CONFIG_HOME: elsewhere })).toMatchObject({ port: `2222 from "port" in ${other}` });
    expect(await sourcesOf(['--config', 'off'])).not.toHaveProperty('port');
    expect(await sourcesOf(['--config', other])).toMatchObject({ port: `2222 from "port" in ${other}` });
    expect(await sourcesOf(['--config', own], { MEMHALL_CONFIG: other })).toMatchObject({
      port: `1111 from "port" in ${own}`,
    });
  });

  it('is never read from the working directory by itself', async () => {
    rmSync(own, { force: true });
    const before = process.cwd();
    const hostile = join(directory, 'cloned');
    mkdirSync(join(hostile, 'memhall'), { recursive: true });
    for (const name of ['config.json', 'memhall.json', 'memhall/config.json']) {
      write(join(hostile, name), { memoryPluginUrl: 'http://attacker.example' });
    }
    process.chdir(hostile);
    try {
      expect(await sourcesOf([])).not.toHaveProperty('memoryPluginUrl');
      // The specification ignores relative paths, and so does Memhall.
      expect(await sourcesOf([], { XDG_CONFIG_HOME: '.' })).not.toHaveProperty('memoryPluginUrl');
      expect(await sourcesOf([], { XDG_CONFIG_HOME: '.', HOME: '' })).not.toHaveProperty('memoryPluginUrl');
    } finally {
      process.chdir(before);
    }
  });

  it('must exist if it is named', async () => {
    const { code, stderr } = await runCommand(['list', '--config', join(directory, 'none.json')], atHome);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `memhall: The configuration file ${join(directory, 'none.json')} cannot be read (ENOENT). Run \`memhall init\` to write one.\n`,
    );
  });

  it('is refused if others could change it, or read a secret in it', async () => {
    const path = join(directory, 'mode.json');
    const attempt = async (content: object, mode: number) =>
      (await runCommand(['config', '--config', write(path, content, mode)], atHome)).stderr;
    const secret = { databaseUrl: 'postgres://u:hunter2@h/d' };
    expect(await attempt({ port: 1 }, 0o644)).toBe('');
    expect(await attempt({ port: 1 }, 0o646)).toContain('can be changed by every user of this machine. Run: chmod 600');
    expect(await attempt(secret, 0o640)).toContain('holds secrets and can be read by other users. Run: chmod 600');
    expect(await attempt(secret, 0o640)).not.toContain('hunter2');
    expect(await attempt(secret, 0o600)).toBe('');
  });
});

describe('memhall init', () => {
  it('writes a private file, a schema for editors, and says what is next', async () => {
    rmSync(own, { force: true });
    const { code, stdout } = await runCommand(['init', '--yes', '--port', '9999'], atHome);
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote ${own}`);
    expect(stdout).toContain('memhall serve\n');
    expect(statSync(own).mode & 0o777).toBe(0o600);
    const content = JSON.parse(readFileSync(own, 'utf8')) as Record<string, unknown>;
    expect(content).toMatchObject({ $schema: './config.schema.json', port: 9999, embedder: 'local' });
    const schema = JSON.parse(readFileSync(join(home, '.config/memhall/config.schema.json'), 'utf8')) as object;
    expect(schema).toMatchObject({ additionalProperties: false, properties: { port: { type: 'integer' } } });
    expect(await sourcesOf([])).toMatchObject({ port: `9999 from "port" in ${own}` });
    const again = await runCommand(['init', '--yes'], atHome);
    expect(again).toMatchObject({
      code: 1,
      stderr: `memhall: ${own} exists. Edit it, or add --force to replace it.\n`,
    });
    const replaced = await runCommand(['init', '--yes', '--force', '--json'], atHome);
    expect(JSON.parse(replaced.stdout)).toEqual({ path: own, next: 'memhall serve' });
  });

  it('asks nothing without a terminal, and writes nothing that would not start', async () => {
    const path = join(directory, 'new', 'config.json');
    const silent = await runCommand(['init', '--config', path], atHome);
    expect(silent.stderr).toBe('memhall: There is no terminal to ask on. Add --yes to take the defaults.\n');
    const faulty = await runCommand(['init', '--yes', '--port', 'http', '--config', path], atHome);
    expect(faulty.stderr).toContain('must be a whole number from 0 to 65535, not "http"');
    expect(() => statSync(path)).toThrow('ENOENT');
  });

  it('asks three questions on a terminal', async () => {
    const path = join(directory, 'asked', 'config.json');
    const store = join(directory, 'memories');
    const shown = await runInTerminal([process.execPath, program, 'init', '--config', path], {
      environment: atHome,
      answers: [
        ['Where should memories be stored?', store],
        ['On which port', '9876'],
        ['match by meaning too?', 'none'],
      ],
    });
    expect(shown.code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      dataDirectory: store,
      port: 9876,
      embedder: 'none',
    });
    expect(shown.output).toContain(`memhall serve --config ${path}`);
  });

  it('takes answers that are typed ahead', async () => {
    const path = join(directory, 'ahead', 'config.json');
    const shown = await runInTerminal([process.execPath, program, 'init', '--config', path], {
      environment: atHome,
      answers: [['Where should memories be stored?', `${join(directory, 'memories')}\n9877\nnone`]],
    });
    expect(shown.code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ port: 9877, embedder: 'none' });
  });

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('ends with %s, says so in a sentence, and writes nothing', async (_keys, typed) => {
    const path = join(directory, 'ended', 'config.json');
    const shown = await runInTerminal([process.execPath, program, 'init', '--config', path], {
      environment: atHome,
      answers: [['Where should memories be stored?', typed]],
    });
    expect(shown.code).toBe(1);
    expect(shown.output).toMatch(/\nmemhall: Interrupted\. Nothing was changed\.\r\n$/);
    expect(() => statSync(path)).toThrow('ENOENT');
  });
});
