import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import type { relayMcp } from '../composition/relay-mcp.js';
import type { StdioServer, serveMcp } from '../composition/serve-mcp.js';
import { type Identity, toIdentity } from '../http/identity.js';
import { createLogger } from '../http/logging.js';
import { projectOf } from './coding/project-of.js';
import { addConfigOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { mcpInstallCommand, mcpUninstallCommand } from './mcp-install-commands.js';
import { parseClaim } from './parse-claim.js';
import { stopOnSignal } from './stop-on-signal.js';

interface McpOptions {
  server?: string;
  token?: string;
  tenant: string;
  user: string;
  role: string[];
  claim: string[];
  project?: true;
}

export function mcpCommand(environment: Environment): Command {
  const command = new Command('mcp')
    .description(
      'Run a Model Context Protocol (MCP) server on standard input and output, for MCP clients that start their servers as subprocesses. By default it opens the store directly, which also works while a server is running on it. With --server it forwards to a Memhall server instead.',
    )
    .option('--server <url>', 'Forward to this Memhall server instead of opening the store. [MEMHALL_SERVER_URL]')
    .option(
      '--token <jwt>',
      'Token for that server. Prefer the variable: flags are visible in the process list. [MEMHALL_TOKEN]',
    )
    .option('--tenant <id>', 'Tenant to act for, without --server.', 'default')
    .option('--user <id>', 'User to act for, without --server.', 'me')
    .addOption(repeatable('--role <role>', 'Role to act with, without --server. Can be repeated.'))
    .addOption(
      repeatable(
        '--claim <name=value>',
        'Further claim, without --server: workspace_id, team_id, org_id, … Can be repeated.',
      ),
    )
    .option(
      '--project',
      'Also search what hooks of coding agents keep about the git repository of the working directory, without --server.',
    );
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel', 'logFormat', 'mcpTools']);
  withExamples(
    command,
    'memhall mcp --data ~/.memhall',
    'memhall mcp --user alice --claim workspace_id=website --claim team_id=blue',
    'MEMHALL_TOKEN=… memhall mcp --server https://memory.example.com',
  );
  command
    .enablePositionalOptions()
    .addCommand(mcpInstallCommand(environment))
    .addCommand(mcpUninstallCommand(environment));
  return command.action(async (options: McpOptions) => {
    const config = configFrom(options, environment);
    const logger = createLogger(config.logLevel, config.logFormat);
    const address = options.server ?? environment.MEMHALL_SERVER_URL;
    const running =
      address === undefined
        ? await onStore(config, logger, identityOf(options))
        : await onServer(toServerUrl(address), tokenOf(options, environment), logger);
    stopOnSignal(running, logger);
    await running.ended;
    await running.close();
    process.exit(0);
  });
}

/** Each is loaded only when it is used. */
async function onStore(...given: Parameters<typeof serveMcp>): Promise<StdioServer> {
  return (await import('../composition/serve-mcp.js')).serveMcp(...given);
}

async function onServer(...given: Parameters<typeof relayMcp>): Promise<StdioServer> {
  return (await import('../composition/relay-mcp.js')).relayMcp(...given);
}

function toServerUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new StartUpError(`--server must be an http(s) address, not "${address}".`);
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function tokenOf({ token }: McpOptions, environment: Environment): string {
  const given = token ?? environment.MEMHALL_TOKEN;
  if (given === undefined || given === '') throw new StartUpError('--server requires a token: set MEMHALL_TOKEN.');
  return given;
}

/** There is no token without a server: a process that can open the store can act as any user in it. */
function identityOf({ tenant, user, role, claim, project }: McpOptions): Identity {
  try {
    const claims = Object.fromEntries(claim.map(parseClaim));
    const namespace = project === true ? projectOf(process.cwd())?.namespace : undefined;
    if (namespace !== undefined) claims.namespaces = [claims.namespaces ?? [], namespace].flat();
    return toIdentity({ ...claims, tenant_id: tenant, user_id: user, roles: role });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new StartUpError(error.message.replace(' of the token', ''));
  }
}
