import { Command } from 'commander';
import { tokenSecret } from '../composition/token-verifier.js';
import { version } from '../composition/version.js';
import type { Config } from '../config/settings.js';
import { createLogger } from '../http/logging.js';
import { bindsToLoopback } from '../http/loopback.js';
import { startServer } from '../main.js';
import type { RunningServer } from '../running-server.js';
import { addConfigOptions, type Environment, serverConfigFrom } from './config-options.js';
import { withExamples } from './examples.js';
import { signToken } from './sign-token.js';
import { stopOnSignal } from './stop-on-signal.js';

const welcomeTtlSeconds = 24 * 3600;

export function serveCommand(environment: Environment): Command {
  const command = new Command('serve')
    .description(
      'Run the server until SIGTERM or SIGINT: the HTTP APIs, MCP at /mcp, the plugin listener and background jobs. Without options it needs no setup: it creates an embedded database in ./data and prints a token to try it with.',
    )
    .option('--json', 'Print one line of JSON once the server is listening, and nothing else on standard output.');
  addConfigOptions(command);
  withExamples(
    command,
    'memhall serve',
    'memhall serve --port 0 --plugin-port off --data /var/lib/memhall --json',
    'memhall serve --database-url postgres://memhall@localhost/memhall',
  );
  return command.action(async (options: { json?: boolean }) => {
    const config = serverConfigFrom(options, environment);
    const logger = createLogger(config.logLevel, config.logFormat);
    const server = await startServer(config, logger, (doing) => {
      if (process.stderr.isTTY) process.stderr.write(`First start: ${doing} …\n`);
    });
    stopOnSignal(server, logger, config.drainMs);
    process.stdout.write(options.json ? announcement(server) : await welcome(server, config));
  });
}

function announcement({ url, pluginUrl }: RunningServer): string {
  return `${JSON.stringify({ event: 'listening', url, plugin_url: pluginUrl, pid: process.pid })}\n`;
}

async function welcome({ url, pluginUrl, signInLink }: RunningServer, config: Config): Promise<string> {
  const secret = await tokenSecret(config);
  const store = config.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDirectory}` : 'PostgreSQL';
  const lines = [
    `Memhall ${version} on ${store}`,
    `  main    ${url}  (documentation: ${url}/docs)`,
    `  mcp     ${url}/mcp`,
    `  plugin  ${pluginUrl ?? 'off'}`,
    `  console ${url}/console`,
  ];
  if (secret === undefined) return `${lines.join('\n')}\n`;
  const token = await signToken(secret, { tenant: 'default', user: 'me', ttlSeconds: welcomeTtlSeconds });
  const call = `curl -s ${url}/v1/remember -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"content":"I take my tea without milk."}'`;
  // The link is for the person at this machine. Logs and other programs must not see it.
  const link = process.stdout.isTTY && (await bindsToLoopback(config.host));
  const signIn = link ? ['', 'Open the console, signed in (once, within 5 minutes):', `  ${signInLink(token)}`] : [];
  return `${[...lines, `  token   ${token}  (tenant default, user me, valid for 24 hours)`, '', 'Try it:', `  ${call}`, ...signIn].join('\n')}\n`;
}
