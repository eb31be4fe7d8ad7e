import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeProgram } from '../../../../server/test/packed/support/node-versions.js';
import { projectDirectories } from './project-directories.js';

const execute = promisify(execFile);
const scenarios = fileURLToPath(new URL('../scenarios/', import.meta.url));

/** Stand-ins for the Messages API, of the examples. */
const fakes = { 'claude-agent-sdk': 'fake-messages.mjs', 'claude-memory': 'fake-memory-calls.mjs' };
const examples = fileURLToPath(new URL('../../../../../examples/', import.meta.url));

const patienceMs = 280_000;

/** A directory in which frameworks are installed. */
export class FrameworkProject {
  constructor(
    readonly name: 'current' | 'previous',
    readonly directory: string,
  ) {}

  /** Runs a scenario in a process of its own. Rejects with what it printed if an assertion in it fails. */
  async run(scenario: string, env: Record<string, string>, node = process.versions.node): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-frameworks-'));
    try {
      cpSync(scenarios, directory, { recursive: true });
      for (const [example, name] of Object.entries(fakes)) {
        cpSync(join(examples, example, 'fake-messages.mjs'), join(directory, name));
      }
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
      const options = { cwd: directory, env: variables, maxBuffer: 1e8, timeout: patienceMs };
      return (await execute(nodeProgram(node), [join(directory, scenario)], options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '', killed } = error as { stdout?: string; stderr?: string; killed?: boolean };
      const problem = killed ? `was stopped after ${patienceMs / 1000} s` : 'failed';
      throw new Error(`${scenario} with the ${this.name} version ${problem}:\n${stdout}${stderr}`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

const { current, previous, currentClaude, previousClaude } = projectDirectories;

/** The current version of each framework, and with MEMHALL_TEST_LONG the previous one. */
export const projects: readonly FrameworkProject[] = [
  new FrameworkProject('current', current),
  ...(previous === undefined ? [] : [new FrameworkProject('previous', previous)]),
];

/** The SDK takes several hundred megabytes, so it is tested with MEMHALL_TEST_LONG only. */
export const claudeProjects: readonly FrameworkProject[] = [
  ...(currentClaude === undefined ? [] : [new FrameworkProject('current', currentClaude)]),
  ...(previousClaude === undefined ? [] : [new FrameworkProject('previous', previousClaude)]),
];
