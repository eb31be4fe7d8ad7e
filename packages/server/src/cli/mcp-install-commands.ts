import { resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import { Argument, Command, Option } from 'commander';
import { type ClientName, clientNames, codingClients, type Scope } from './clients/client-files.js';
import { type ConnectionOptions, connectionOf } from './clients/connection-of.js';
import { entryInsertion } from './clients/entry-insertion.js';
import { type FileChange, planAddition, planRemoval } from './clients/plan-change.js';
import { showAndWrite } from './clients/write-change.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

interface EntryOptions {
  scope: Scope;
  name: string;
  yes?: boolean;
  json?: true;
}

type InstallOptions = EntryOptions & ConnectionOptions;

export function mcpInstallCommand(environment: Environment): Command {
  const command = entryCommand('install')
    .description(
      'Add Memhall to the MCP servers of a client. Shows the change first. Other entries and comments stay as they are, and a token is never written: the client reads it from MEMHALL_TOKEN, or asks for it.',
    )
    .option('--server <url>', 'Use this Memhall server instead of opening the store.')
    .option('--oauth', 'With --server: let the client log in at its authorization server, instead of sending a token.')
    .option('--data <dir>', 'Data directory of the store. (default: ~/.memhall)')
    .option('--tenant <id>', 'Tenant to act for, without --server.')
    .option('--user <id>', 'User to act for, without --server.')
    .option('--tools <set>', 'Tools to list, without --server: memory, tiers, files or all.');
  withExamples(
    command,
    'memhall mcp install claude',
    'memhall mcp install vscode --scope project --yes',
    'memhall mcp install codex --server https://memory.example.com',
  );
  return command.action(async (name: ClientName, options: InstallOptions) => {
    const client = codingClients[name];
    const entry = client.entry(connectionOf(client, options, environment));
    const change = planAddition(client.file(options.scope, environment), entryInsertion(client, options.name), entry);
    const undo = `memhall mcp uninstall ${name}${options.scope === 'user' ? '' : ' --scope project'}${options.name === 'memhall' ? '' : ` --name ${options.name}`}`;
    const text =
      change.before === change.after
        ? `${client.title} has this entry already: ${change.path}`
        : `Written to ${change.path}. Restart ${client.title} to use it. To undo this: ${undo}`;
    await makeChange(change, options, text);
  });
}

export function mcpUninstallCommand(environment: Environment): Command {
  const command = entryCommand('uninstall').description(
    'Remove Memhall from the MCP servers of a client. Shows the change first. If nothing else has changed, the file becomes exactly what it was before.',
  );
  withExamples(command, 'memhall mcp uninstall claude', 'memhall mcp uninstall vscode --scope project --yes');
  return command.action(async (name: ClientName, options: EntryOptions) => {
    const client = codingClients[name];
    const file = client.file(options.scope, environment);
    const change = planRemoval(file, entryInsertion(client, options.name));
    if (change === undefined) throw new StartUpError(`${resolve(file)} has no MCP server "${options.name}".`);
    await makeChange(change, options, `Removed from ${change.path}. Memories were not touched.`);
  });
}

/** With `--json`, the change is shown on standard error. */
async function makeChange(change: FileChange, { yes = false, json }: EntryOptions, text: string): Promise<void> {
  const isNew = change.before !== change.after;
  const isWritten = isNew && (await showAndWrite(change, yes, json ? process.stderr : process.stdout));
  if (isWritten || !isNew || json) printResult(json, { path: change.path, written: isWritten }, text);
}

function entryCommand(verb: string): Command {
  const command = new Command(verb)
    .addArgument(new Argument('<client>', 'The client.').choices(clientNames))
    .addOption(
      new Option('--scope <scope>', 'Configuration of the user, or of the project in the working directory.')
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('--name <name>', 'Name of the entry.', checkName, 'memhall')
    .option('--yes', 'Write without asking.');
  return addJsonOption(command);
}

function checkName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw new StartUpError(`--name must be 1 to 64 letters, digits, _ and -, not "${name}".`);
}
