import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Environment } from '../config-options.js';
import type { CodingClient, Connection, Scope } from './client-files.js';
import { ownCommand } from './own-command.js';

export interface ConnectionOptions {
  scope: Scope;
  server?: string;
  oauth?: boolean;
  data?: string;
  tenant?: string;
  user?: string;
  tools?: string;
}

/** Returns how a client reaches the memory. `more` are further flags of `memhall mcp` that opens the store. Throws StartUpError. */
export function connectionOf(
  client: CodingClient,
  options: ConnectionOptions,
  environment: Environment,
  more: readonly string[] = [],
): Connection {
  const { server, oauth = false, scope, data, tenant, user, tools } = options;
  if (server !== undefined) {
    const refused = Object.entries({ data, tenant, user, tools }).find(([, value]) => value !== undefined);
    if (refused !== undefined) throw new StartUpError(`--${refused[0]} cannot be combined with --server.`);
    return { kind: 'server', url: `${serverAddress(server)}/mcp`, usesToken: !oauth };
  }
  if (oauth) throw new StartUpError('--oauth requires --server.');
  const home = scope === 'project' && client.home !== undefined ? client.home : undefined;
  const directory =
    data === undefined ? (home === undefined ? join(homedir(), '.memhall') : `${home}/.memhall`) : resolve(data);
  // Others who use the project have Memhall somewhere else.
  const { command, args } = scope === 'project' ? { command: 'memhall', args: [] } : ownCommand(environment);
  const flags = Object.entries({ tenant, user, tools }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return { kind: 'store', command, args: [...args, 'mcp', '--data', directory, ...flags, ...more] };
}

/** Returns the address without a slash at its end. */
export function serverAddress(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartUpError(`--server must be an http(s) address without a user name, not "${server}".`);
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}
