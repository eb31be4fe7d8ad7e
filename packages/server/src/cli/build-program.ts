import { Command } from 'commander';
import { version } from '../composition/version.js';
import type { Environment } from './config-options.js';

interface Entry {
  summary: string;
  load(): Promise<(environment: Environment) => Command>;
}

/** In the order of the help. Each is loaded by itself: what one of them needs costs the others no time. */
const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'Serve memory over HTTP.',
    load: async () => (await import('./serve-command.js')).serveCommand,
  },
  worker: {
    summary: 'Run jobs without serving HTTP.',
    load: async () => (await import('./worker-command.js')).workerCommand,
  },
  mcp: {
    summary: 'Speak the Model Context Protocol on standard input and output.',
    load: async () => (await import('./mcp-command.js')).mcpCommand,
  },
  token: {
    summary: 'Print a signed token.',
    load: async () => (await import('./token-command.js')).tokenCommand,
  },
  migrate: {
    summary: 'Bring the database schema up to date, or older data into it.',
    load: async () => (await import('./migrate-command.js')).migrateCommand,
  },
  backfill: {
    summary: 'Copy the memories of an older store into a memory plugin.',
    load: async () => (await import('./backfill-command.js')).backfillCommand,
  },
  doctor: {
    summary: 'Check what a server needs here, and say what to do about each fault.',
    load: async () => (await import('./doctor-command.js')).doctorCommand,
  },
  audit: {
    summary: 'Verify the audit log, and rebuild documents from it.',
    load: async () => (await import('./audit-command.js')).auditCommand,
  },
  export: {
    summary: 'Write everything of a tenant, or of one user, to an archive.',
    load: async () => (await import('./export-command.js')).exportCommand,
  },
  import: {
    summary: 'Restore what export wrote.',
    load: async () => (await import('./import-command.js')).importCommand,
  },
  jobs: {
    summary: 'List, run and retry the work in the background.',
    load: async () => (await import('./jobs-command.js')).jobsCommand,
  },
  reindex: {
    summary: 'Make anew what is derived.',
    load: async () => (await import('./reindex-command.js')).reindexCommand,
  },
  unresolved: {
    summary: 'Decide about patches that replays could not apply.',
    load: async () => (await import('./unresolved-command.js')).unresolvedCommand,
  },
  quarantine: {
    summary: 'Decide about texts that a model must not read.',
    load: async () => (await import('./quarantine-command.js')).quarantineCommand,
  },
  keys: {
    summary: 'Rotate the master key.',
    load: async () => (await import('./keys-command.js')).keysCommand,
  },
  tenant: {
    summary: 'Settings of one tenant.',
    load: async () => (await import('./tenant-command.js')).tenantCommand,
  },
  conformance: {
    summary: 'Hold a plugin or a provider against its contract.',
    load: async () => (await import('./conformance-command.js')).conformanceCommand,
  },
};

/** Every command by its name and summary; what `wanted` takes and does, or each of them where that is absent. */
export async function buildProgram(environment: Environment, wanted?: string): Promise<Command> {
  const program = new Command('memhall')
    .description('Memory for AI agents: one engine, many surfaces, on embedded or real PostgreSQL.')
    .version(version)
    .showHelpAfterError('(add --help for what it takes)');
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const isWanted = wanted === undefined || wanted === name;
    program.addCommand((isWanted ? (await load())(environment) : new Command(name)).summary(summary));
  }
  return program;
}
