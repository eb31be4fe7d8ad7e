import { Command } from 'commander';
import { version } from '../composition/version.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';

interface Entry {
  summary: string;
  load(): Promise<(environment: Environment) => Command>;
}

/** By the headings of the help, in its order. Each command is loaded only when it is used, so that its dependencies do not slow down the others. */
const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  Start: {
    init: {
      summary: 'Ask three questions and write a configuration file.',
      load: async () => (await import('./init-command.js')).initCommand,
    },
    serve: {
      summary: 'Run the server: HTTP APIs, MCP, the plugin listener and jobs.',
      load: async () => (await import('./serve-command.js')).serveCommand,
    },
    status: {
      summary: 'Show whether a server is running, and what it is doing.',
      load: async () => (await import('./status-command.js')).statusCommand,
    },
    token: {
      summary: 'Print a signed access token.',
      load: async () => (await import('./token-command.js')).tokenCommand,
    },
    doctor: {
      summary: 'Check that a server can run here, and explain how to fix each problem.',
      load: async () => (await import('./doctor-command.js')).doctorCommand,
    },
    config: {
      summary: 'Show the settings in use and where each comes from.',
      load: async () => (await import('./config-command.js')).configCommand,
    },
    completion: {
      summary: 'Print a completion script for bash, zsh or fish.',
      async load() {
        const { completionCommand } = await import('./completion-command.js');
        return (environment) => completionCommand(() => buildProgram(environment));
      },
    },
  },
  'Remember and recall': {
    remember: {
      summary: 'Remember a text.',
      load: async () => (await import('./remember-command.js')).rememberCommand,
    },
    recall: {
      summary: 'Recall what was remembered, through any surface.',
      load: async () => (await import('./recall-command.js')).recallCommand,
    },
    list: {
      summary: 'List memories, newest first.',
      load: async () => (await import('./list-command.js')).listCommand,
    },
    show: {
      summary: 'Show a memory, where it comes from and who changed it.',
      load: async () => (await import('./show-command.js')).showCommand,
    },
    forget: {
      summary: 'Forget memories permanently.',
      load: async () => (await import('./forget-command.js')).forgetCommand,
    },
    facts: {
      summary: 'List what is true, since when, and on whose word.',
      load: async () => (await import('./facts-command.js')).factsCommand,
    },
    subjects: {
      summary: 'List, show, merge and split what facts are about.',
      load: async () => (await import('./subjects-command.js')).subjectsCommand,
    },
    'off-the-record': {
      summary: 'Take sessions off the record: nothing of them is stored.',
      load: async () => (await import('./off-the-record-command.js')).offTheRecordCommand,
    },
    'time-zone': {
      summary: 'Show or set the time zone of a user.',
      load: async () => (await import('./time-zone-command.js')).timeZoneCommand,
    },
    fs: {
      summary: 'Keep the files of agents in a folder.',
      load: async () => (await import('./fs-command.js')).fsCommand,
    },
  },
  'Agents and editors': {
    mcp: {
      summary: 'Run an MCP server on standard input and output.',
      load: async () => (await import('./mcp-command.js')).mcpCommand,
    },
    install: {
      summary: 'Give a coding agent a memory: hooks and MCP.',
      load: async () => (await import('./agent-install-commands.js')).installCommand,
    },
    uninstall: {
      summary: 'Remove what install added to a coding agent.',
      load: async () => (await import('./agent-install-commands.js')).uninstallCommand,
    },
    hook: {
      summary: 'Handle a hook of a coding agent.',
      load: async () => (await import('./hook-command.js')).hookCommand,
    },
  },
  Run: {
    worker: {
      summary: 'Run background jobs without serving HTTP.',
      load: async () => (await import('./worker-command.js')).workerCommand,
    },
    migrate: {
      summary: 'Bring the database schema up to date, or migrate older data.',
      load: async () => (await import('./migrate-command.js')).migrateCommand,
    },
    model: {
      summary: 'Add, list, check and remove embedding models that run in the process.',
      load: async () => (await import('./model-command.js')).modelCommand,
    },
    tenant: {
      summary: 'Change the settings of a tenant.',
      load: async () => (await import('./tenant-command.js')).tenantCommand,
    },
    jobs: {
      summary: 'List, run and retry background jobs.',
      load: async () => (await import('./jobs-command.js')).jobsCommand,
    },
    reindex: {
      summary: 'Rebuild derived data.',
      load: async () => (await import('./reindex-command.js')).reindexCommand,
    },
    backup: {
      summary: 'Copy the embedded database while a server is running.',
      load: async () => (await import('./backup-command.js')).backupCommand,
    },
    keys: {
      summary: 'Rotate the master key.',
      load: async () => (await import('./keys-command.js')).keysCommand,
    },
  },
  'Move data': {
    export: {
      summary: 'Export all data of a tenant or of one user to an archive.',
      load: async () => (await import('./export-command.js')).exportCommand,
    },
    import: {
      summary: 'Restore an archive written by export, or bring in what another tool remembers.',
      load: async () => (await import('./import-command.js')).importCommand,
    },
    backfill: {
      summary: 'Copy memories from an older store into a memory plugin.',
      load: async () => (await import('./backfill-command.js')).backfillCommand,
    },
  },
  Govern: {
    audit: {
      summary: 'Verify, sign and prove the audit log, and rebuild documents from it.',
      load: async () => (await import('./audit-command.js')).auditCommand,
    },
    quarantine: {
      summary: 'List, show, release or delete quarantined texts.',
      load: async () => (await import('./quarantine-command.js')).quarantineCommand,
    },
    unresolved: {
      summary: 'List, apply or discard patches that replays could not apply.',
      load: async () => (await import('./unresolved-command.js')).unresolvedCommand,
    },
    sources: {
      summary: 'Take back everything that a source wrote or caused.',
      load: async () => (await import('./sources-command.js')).sourcesCommand,
    },
    erase: {
      summary: 'Remove what erasures left in the files of the database.',
      load: async () => (await import('./erase-command.js')).eraseCommand,
    },
  },
  Develop: {
    conformance: {
      summary: 'Check a memory plugin or a provider against its contract.',
      load: async () => (await import('./conformance-command.js')).conformanceCommand,
    },
  },
};

/**
 * Builds the program with the name and summary of every command. Only `wanted` is loaded with its options and action;
 * without `wanted`, every command is.
 */
export async function buildProgram(environment: Environment, wanted?: string): Promise<Command> {
  const program = new Command('memhall')
    .description(
      'Memhall is a memory service for AI agents. It stores its data in an embedded PostgreSQL or in your own PostgreSQL.',
    )
    .version(version, '-V, --version', 'Show the version.')
    // A command with subcommands leaves the options after a subcommand's name to that.
    .enablePositionalOptions();
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const isWanted = wanted === undefined || wanted === name;
      program.addCommand((isWanted ? (await load())(environment) : new Command(name)).summary(summary));
    }
  }
  withExamples(
    program,
    'memhall init',
    'memhall serve',
    "memhall remember 'I take my tea without milk.'",
    "memhall recall 'what do I take in my tea?'",
    'memhall token --tenant default --user me',
    'memhall export --help',
  );
  program.commandsGroup('Start:'); // of `help`
  describeHelp(program);
  return program;
}

/** Replaces commander's default help texts, in all subcommands too. */
function describeHelp(command: Command, parents = ''): void {
  const path = `${parents}${command.name()}`;
  command.helpOption('-h, --help', 'Show this help.').showHelpAfterError(`See \`${path} --help\`.`);
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command.');
  for (const subcommand of command.commands) describeHelp(subcommand, `${path} `);
}
