import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import type { relayMcp } from '../composition/relay-mcp.js';
import type { StdioServer, serveMcp } from '../composition/serve-mcp.js';
import { type Identity, toIdentity } from '../http/identity.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { stopOnSignal } from './stop-on-signal.js';
import { collect, parseClaim } from './token-command.js';

interface McpOptions {
  server?: string;
  token?: string;
  tenant: string;
  user: string;
  role: string[];
  claim: string[];
  logLevel?: string;
}

export function mcpCommand(environment: Environment): Command {
  const command = new Command('mcp')
    .description(
      'Speak the Model Context Protocol on standard input and output: on the store itself, beside a running server if there is one, or on a server elsewhere.',
    )
    .option('--server <url>', 'a Memhall server to use instead of the store [MEMHALL_SERVER_URL]')
    .option('--token <jwt>', 'token for that server; other users of this machine can see it here [MEMHALL_TOKEN]')
    .option('--tenant <id>', 'tenant to speak for, on the store', 'default')
    .option('--user <id>', 'user to speak for, on the store', 'me')
    .option('--role <role>', 'role to have, on the store; may be given several times', collect, [])
    .option('--claim <name=value>', 'further claim, on the store: workspace_id, team_id, org_id, …', collect, []);
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel']);
  withExamples(
    command,
    'memhall mcp --data ~/.memhall',
    'memhall mcp --user alice --claim workspace_id=website --claim team_id=blue',
    'MEMHALL_TOKEN=… memhall mcp --server https://memory.example.com',
  );
  return command.action(async (options: McpOptions) => {
    const config = configFrom({ ...options }, environment);
    const isLevelSet = options.logLevel !== undefined || environment.MEMHALL_LOG_LEVEL !== undefined;
    const logger = createLogger(isLevelSet ? config.logLevel : 'warn');
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

/** Loaded only when used: relaying to a server needs no store. */
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
  if (given === undefined || given === '') throw new StartUpError('A server needs a token: set MEMHALL_TOKEN.');
  return given;
}

/** On the store itself there is no token: whoever may open it may be anybody in it. */
function identityOf({ tenant, user, role, claim }: McpOptions): Identity {
  try {
    const claims = Object.fromEntries(claim.map(parseClaim));
    return toIdentity({ ...claims, tenant_id: tenant, user_id: user, roles: role });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new StartUpError(error.message.replace('The token', 'What you gave'));
  }
}
