import { StartUpError } from '@memhall/core';
import { Argument, Command, Option } from 'commander';
import { type AgentName, agentHooks, agentNames, type RecallTime, recallTimes } from './clients/agent-hooks.js';
import { codingClients } from './clients/client-files.js';
import { type ConnectionOptions, connectionOf, serverAddress } from './clients/connection-of.js';
import { entryInsertion } from './clients/entry-insertion.js';
import { hooksInsertion } from './clients/hooks-insertion.js';
import { ownCommand } from './clients/own-command.js';
import { type FileChange, type Insertion, planAddition, planRemoval, together } from './clients/plan-change.js';
import { agrees, describeChange, writeChange } from './clients/write-change.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

const entryName = 'memhall';

interface Options extends Omit<ConnectionOptions, 'tools' | 'oauth'> {
  recall: RecallTime;
  yes?: boolean;
  json?: true;
}

export function installCommand(environment: Environment): Command {
  const command = agentCommand('install')
    .description(
      'Give a coding agent a memory: hooks that keep what is said and decided in each repository and recall it at the start of a session, and the MCP tools to search it. Shows all changes first. What else is in the files stays as it is, and a token is never written: the hooks and the agent read it from MEMHALL_TOKEN.',
    )
    .option('--server <url>', 'Use this Memhall server instead of opening the store.')
    .option('--data <dir>', 'Data directory of the store. (default: ~/.memhall)')
    .option('--tenant <id>', 'Tenant to act for, without --server.')
    .option('--user <id>', 'User to act for, without --server.')
    .addOption(
      new Option('--recall <time>', 'When memories are shown to the model: start of a session, each prompt, or never.')
        .choices(recallTimes)
        .default('start'),
    );
  withExamples(
    command,
    'memhall install claude-code',
    'memhall install codex --server https://memory.example.com',
    'memhall install gemini --scope project --yes',
  );
  return command.action(async (name: AgentName, options: Options) => {
    if (name === 'cursor' && options.recall === 'prompt')
      throw new StartUpError('Cursor shows nothing that a hook adds to a prompt. Use --recall start.');
    const places = placesOf(name, options, environment);
    const changes = places.map(({ file, parts, insertion }) => planAddition(file, insertion, parts));
    const { title } = codingClients[agentHooks[name].mcp];
    const undo = `memhall uninstall ${name}${options.scope === 'user' ? '' : ' --scope project'}`;
    const { note } = agentHooks[name];
    const done = `Restart ${title} to use it. To undo this: ${undo}${note === undefined ? '' : `\n${note}`}`;
    await makeChanges(changes, options, done, `${title} has all of this already.`);
  });
}

export function uninstallCommand(environment: Environment): Command {
  const command = agentCommand('uninstall').description(
    'Remove what `memhall install` added to a coding agent. Shows all changes first. If nothing else has changed, the files become exactly what they were before. Memories are not touched.',
  );
  withExamples(command, 'memhall uninstall claude-code', 'memhall uninstall gemini --scope project --yes');
  return command.action(async (name: AgentName, options: Options) => {
    const places = placesOf(name, { ...options, recall: 'start' }, environment);
    const changes = places.flatMap(({ file, insertion }) => planRemoval(file, insertion) ?? []);
    const { title } = codingClients[agentHooks[name].mcp];
    if (changes.length === 0) throw new StartUpError(`Nothing of Memhall is installed for ${title}.`);
    await makeChanges(changes, options, 'Removed. Memories were not touched.', '');
  });
}

interface Place {
  file: string;
  insertion: Insertion<readonly unknown[]>;
  parts: readonly unknown[];
}

/** The files to change. In one client, hooks and MCP servers share a file. */
function placesOf(name: AgentName, options: Options, environment: Environment): Place[] {
  const hooks = agentHooks[name];
  const client = codingClients[hooks.mcp];
  const connection = connectionOf(client, options, environment, ['--project']);
  const command = hookCommandLine(name, options, environment);
  const entries = Object.fromEntries(hooks.events(options.recall).map((event) => [event, [hooks.entry(command)]]));
  const wanted = [
    {
      file: client.file(options.scope, environment),
      insertion: entryInsertion(client, entryName),
      part: client.entry(connection),
    },
    { file: hooks.file(options.scope, environment), insertion: hooksInsertion(hooks), part: entries },
  ] as { file: string; insertion: Insertion<unknown>; part: unknown }[];
  const files = [...new Set(wanted.map(({ file }) => file))];
  return files.map((file) => {
    const here = wanted.filter((one) => one.file === file);
    return { file, insertion: together(here.map(({ insertion }) => insertion)), parts: here.map(({ part }) => part) };
  });
}

/** The command as a shell reads it. */
function hookCommandLine(name: AgentName, options: Options, environment: Environment): string {
  const { scope, server } = options;
  const recall = options.recall === 'start' ? [] : ['--recall', options.recall];
  const own = scope === 'project' ? { command: 'memhall', args: [] } : ownCommand(environment);
  const connection = connectionOf({ ...codingClients[agentHooks[name].mcp], home: '$HOME' }, options, environment);
  const flags =
    connection.kind === 'server'
      ? ['--server', serverAddress(server ?? '')]
      : connection.args.slice(connection.args.indexOf('mcp') + 1);
  return [own.command, ...own.args, 'hook', name, ...flags, ...recall].map(quote).join(' ');
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // A variable of the shell, in the configuration of a project.
  if (word.startsWith('$')) return `"${word.replace(/["\\`]/g, '\\$&')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Shows all changes, asks once, and makes them. With `--json`, the changes are shown on standard error. */
async function makeChanges(
  changes: readonly FileChange[],
  { yes = false, json }: Options,
  done: string,
  nothing: string,
): Promise<void> {
  const stream = json ? process.stderr : process.stdout;
  const open = changes.filter(({ before, after }) => before !== after);
  const paths = changes.map(({ path }) => path);
  if (open.length === 0) return printResult(json, { paths, written: false }, nothing);
  for (const change of open) stream.write(`${describeChange(change)}\n`);
  if (!yes && !(await agrees(stream))) {
    if (json) printResult(json, { paths, written: false }, '');
    return;
  }
  for (const change of open) writeChange(change);
  printResult(json, { paths, written: true }, done);
}

function agentCommand(verb: string): Command {
  const command = new Command(verb)
    .addArgument(new Argument('<agent>', 'The coding agent.').choices(agentNames))
    .addOption(
      new Option('--scope <scope>', 'Configuration of the user, or of the project in the working directory.')
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('--yes', 'Write without asking.');
  return addJsonOption(command);
}
