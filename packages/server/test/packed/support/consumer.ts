import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const npmProgram = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');

export interface Ran {
  stdout: string;
  stderr: string;
}

/** Returns the tarball of a package; of `memhall` the one with the native runtime of this platform. */
export function tarballOf(name: string): string {
  const ending = name === 'memhall' ? `-${process.platform}-${process.arch}.tgz` : '.tgz';
  const start = name.replace('@', '').replace('/', '-');
  const found = inject('tarballs').find((path) => new RegExp(`/${start}-\\d[^/]*${ending}$`).test(path));
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
}

/** An empty project that installs our tarballs, and everything else from a registry that has none of ours. */
export class Consumer {
  readonly directory = mkdtempSync(join(tmpdir(), 'memhall-consumer-'));
  readonly #node: string;

  constructor(node: string = process.execPath) {
    this.#node = node;
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    this.write('.npmrc', `registry=${inject('registryUrl')}\n`);
    this.write('user.npmrc', 'audit=false\nfund=false\nupdate-notifier=false\n');
  }

  /** Returns what npm printed. Scripts of packages may run, as they do for users. */
  async install(...packages: string[]): Promise<string> {
    const { stdout, stderr } = await this.run(npmProgram, 'install', ...packages);
    return `${stdout}${stderr}`;
  }

  run(script: string, ...parameters: string[]): Promise<Ran> {
    return this.execute(this.#node, [script, ...parameters]);
  }

  execute(
    program: string,
    parameters: readonly string[],
    { variables = {}, directory = '' }: { variables?: NodeJS.ProcessEnv; directory?: string } = {},
  ): Promise<Ran> {
    const { HOME, NODE_EXTRA_CA_CERTS, PATH = '' } = process.env;
    const env = {
      HOME,
      ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
      PATH: [join(this.directory, 'bin'), dirname(this.#node), PATH].join(':'),
      NPM_CONFIG_USERCONFIG: join(this.directory, 'user.npmrc'),
      ...variables,
    };
    return run(program, parameters, { cwd: join(this.directory, directory), env, maxBuffer: 1e8 });
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true });
    writeFileSync(join(this.directory, path), text, { mode });
  }

  copy(from: string, path: string): void {
    cpSync(from, join(this.directory, path), { recursive: true });
  }

  /** Uses packages of this repository. */
  link(name: string): void {
    symlinkSync(join(root, 'node_modules', name), join(this.directory, 'node_modules', name));
  }

  /** What npm installed, by its path in the project. */
  installed(): Record<string, { resolved?: string; hasInstallScript?: boolean }> {
    const { packages } = JSON.parse(readFileSync(join(this.directory, 'node_modules/.package-lock.json'), 'utf8'));
    return packages;
  }

  sizeBytes(): number {
    const directory = join(this.directory, 'node_modules');
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(directory, path)))
      .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Checks a project with the compiler of this repository. Throws with its messages. */
export async function compile(consumer: Consumer, project: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    await consumer.execute(process.execPath, [compiler, '-p', project]);
  } catch (error) {
    throw new Error((error as Ran).stdout);
  }
}
