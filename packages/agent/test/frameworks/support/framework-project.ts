import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeProgram } from '../../../../server/test/packed/support/node-versions.js';

const execute = promisify(execFile);
const packages = fileURLToPath(new URL('../../../../', import.meta.url));
const scenarios = fileURLToPath(new URL('../scenarios/', import.meta.url));

/** A directory in which frameworks are installed. */
export class FrameworkProject {
  readonly directory: string;

  constructor(
    readonly name: 'current' | 'previous',
    path: string,
  ) {
    this.directory = fileURLToPath(new URL(path, import.meta.url));
    if (!existsSync(join(this.directory, 'node_modules'))) {
      throw new Error(`The frameworks are not installed in ${path}: run the tests with npm run test:frameworks.`);
    }
    for (const one of ['agent', 'client', 'core']) {
      const installed = join(this.directory, 'node_modules/@memhall', one);
      rmSync(installed, { recursive: true, force: true });
      for (const part of ['dist', 'package.json'])
        cpSync(join(packages, one, part), join(installed, part), { recursive: true });
    }
  }

  /** Runs a scenario in a process of its own. Rejects with what it printed if an assertion in it fails. */
  async run(scenario: string, env: Record<string, string>, node = process.versions.node): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-frameworks-'));
    try {
      cpSync(scenarios, directory, { recursive: true });
      symlinkSync(join(this.directory, 'node_modules'), join(directory, 'node_modules'));
      const { HOME = '', PATH = '' } = process.env;
      const variables = {
        HOME,
        PATH,
        MASTRA_TELEMETRY_DISABLED: '1',
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        VERSION: this.name,
        ...env,
      };
      const options = { cwd: directory, env: variables, maxBuffer: 1e8, timeout: 110_000 };
      return (await execute(nodeProgram(node), [join(directory, scenario)], options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${scenario} with the ${this.name} version failed:\n${stdout}${stderr}`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

/** The current version of each framework, and with MEMHALL_TEST_LONG the previous one. */
export const projects: readonly FrameworkProject[] = [
  new FrameworkProject('current', '../../../../../examples/frameworks/'),
  ...(isLong ? [new FrameworkProject('previous', '../previous/')] : []),
];
