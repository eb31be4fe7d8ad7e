import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { usualConfigPath } from '../composition/open-config-file.js';
import { toConfigSchema } from '../config/config-schema.js';
import { parseConfigFile } from '../config/parse-config-file.js';
import { readConfig } from '../config/read-config.js';
import { askInTerminal } from './ask-in-terminal.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

interface Options {
  store?: string;
  port?: string;
  embedder?: string;
  config?: string;
  yes?: true;
  force?: true;
  json?: true;
}

/** What is asked. The answers are those that the options give, else the user's, else the standard. */
const questions = {
  store: {
    question: 'Where should memories be stored? A directory, or the URL of a PostgreSQL database',
    standard: join(homedir(), '.memhall'),
  },
  port: { question: 'On which port should the server listen?', standard: '8010' },
  embedder: {
    question: 'Should recall match by meaning too? `local` (offline, in the process) or `none` (words only)',
    standard: 'local',
  },
} as const;
type Answers = Record<keyof typeof questions, string>;

const schemaName = 'config.schema.json';

export function initCommand(environment: Environment): Command {
  const command = new Command('init')
    .description(
      'Ask three questions and write a configuration file that all commands read. It is in the configuration directory of the user; beside it is its JSON Schema, with which editors check and complete it.',
    )
    .option('--store <place>', 'Do not ask where: a directory, or a postgres:// URL.')
    .option('--port <number>', 'Do not ask for the port of the server.')
    .option('--embedder <kind>', 'Do not ask what turns text into vectors: local, none, openai or onnx:<directory>.')
    .option('--config <file>', 'Write this file instead. [MEMHALL_CONFIG]')
    .option('--yes', 'Ask nothing: take the defaults.')
    .option('--force', 'Replace a file that exists.');
  addJsonOption(command, 'Print the path of the file as JSON.');
  withExamples(
    command,
    'memhall init',
    'memhall init --yes',
    'memhall init --yes --store postgres://memhall@localhost/memhall --config /etc/memhall/config.json',
  );
  return command.action(async (options: Options) => {
    const path = pathOf(options, environment);
    if (existsSync(path) && !options.force) {
      throw new StartUpError(`${path} exists. Edit it, or add --force to replace it.`);
    }
    const text = toFile(await ask(options));
    // Reports faulty answers before anything is written.
    readConfig({}, {}, parseConfigFile(path, text));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(join(dirname(path), schemaName), `${JSON.stringify(toConfigSchema(), null, 2)}\n`);
    await writeFile(path, text, { mode: 0o600 });
    await chmod(path, 0o600);
    const isUsual = path === usualConfigPath(environment);
    const next = `memhall serve${isUsual ? '' : ` --config ${path}`}`;
    printResult(
      options.json,
      { path, next },
      `Wrote ${path}\n\nStart the server:\n  ${next}\nSee what is set, and where it comes from:\n  memhall config${isUsual ? '' : ` --config ${path}`}`,
    );
  });
}

function pathOf({ config }: Options, environment: Environment): string {
  const given = config ?? (environment.MEMHALL_CONFIG || undefined);
  if (given !== undefined && given !== 'off') return resolve(given);
  const usual = usualConfigPath(environment);
  if (usual === undefined) throw new StartUpError('There is no home directory to write to. Name a file with --config.');
  return usual;
}

async function ask(options: Options): Promise<Answers> {
  const { store, port, embedder } = options;
  const given: Partial<Answers> = { ...(store && { store }), ...(port && { port }), ...(embedder && { embedder }) };
  const open = (Object.keys(questions) as (keyof Answers)[]).filter((name) => given[name] === undefined);
  const standards = Object.fromEntries(open.map((name) => [name, questions[name].standard]));
  if (options.yes || open.length === 0) return { ...standards, ...given } as Answers;
  if (!process.stdin.isTTY) throw new StartUpError('There is no terminal to ask on. Add --yes to take the defaults.');
  const texts = open.map((name) => `${questions[name].question} [${questions[name].standard}] `);
  const answers = await askInTerminal(texts, process.stderr);
  for (const [index, name] of open.entries()) given[name] = answers[index] || questions[name].standard;
  return given as Answers;
}

function toFile({ store, port, embedder }: Answers): string {
  const isUrl = /^[a-z]+:\/\//i.test(store);
  const place = isUrl ? { databaseUrl: store } : { dataDirectory: store.startsWith('~') ? store : resolve(store) };
  const number = /^\d+$/.test(port) ? Number(port) : port;
  return `${JSON.stringify({ $schema: `./${schemaName}`, ...place, port: number, embedder }, null, 2)}\n`;
}
