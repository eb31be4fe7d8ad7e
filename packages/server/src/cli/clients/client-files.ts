import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config-options.js';

export type ClientName = 'claude' | 'cursor' | 'vscode' | 'codex' | 'gemini';
export type Scope = 'user' | 'project';

/** How a client reaches the memory. */
export type Connection =
  | { kind: 'store'; command: string; args: readonly string[] }
  | { kind: 'server'; url: string; usesToken: boolean };

/** Where a coding agent keeps the MCP servers that it starts, and how it writes one down. */
export interface CodingClient {
  title: string;
  format: 'json' | 'toml';
  /** Member that has the servers. */
  servers: string;
  file(scope: Scope, environment: Environment): string;
  entry(connection: Connection): { [member: string]: unknown };
  /** How its configuration names the home directory; absent if it cannot. */
  home?: string;
  /** A prompt for the token, for clients that cannot read it from the environment. */
  input?: { id: string; [member: string]: unknown };
}

const token = 'MEMHALL_TOKEN';

/** A token is never part of an entry: the client reads it from its environment, or asks for it. */
export const codingClients: Readonly<Record<ClientName, CodingClient>> = {
  claude: {
    title: 'Claude Code',
    format: 'json',
    servers: 'mcpServers',
    home: reference('HOME'),
    file: (scope, { CLAUDE_CONFIG_DIR: directory }) =>
      scope === 'project' ? '.mcp.json' : join(directory || homedir(), '.claude.json'),
    entry: (connection) =>
      connection.kind === 'store'
        ? { type: 'stdio', command: connection.command, args: connection.args }
        : { type: 'http', url: connection.url, ...authorization(connection, reference(token)) },
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    servers: 'mcpServers',
    home: reference('userHome'),
    file: (scope) => inHomeOrProject(scope, '.cursor', 'mcp.json'),
    entry: (connection) =>
      connection.kind === 'store'
        ? { command: connection.command, args: connection.args }
        : { url: connection.url, ...authorization(connection, reference(`env:${token}`)) },
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    servers: 'servers',
    home: reference('userHome'),
    input: { id: 'memhall-token', type: 'promptString', description: 'Memhall token', password: true },
    file: (scope, environment) =>
      scope === 'project' ? join('.vscode', 'mcp.json') : join(vsCodeDirectory(environment), 'User', 'mcp.json'),
    entry: (connection) =>
      connection.kind === 'store'
        ? { type: 'stdio', command: connection.command, args: connection.args }
        : { type: 'http', url: connection.url, ...authorization(connection, reference('input:memhall-token')) },
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    servers: 'mcp_servers',
    file: (scope, { CODEX_HOME: directory }) =>
      scope === 'user' && directory ? join(directory, 'config.toml') : inHomeOrProject(scope, '.codex', 'config.toml'),
    entry: (connection) =>
      connection.kind === 'store'
        ? { command: connection.command, args: connection.args }
        : { url: connection.url, ...(connection.usesToken ? { bearer_token_env_var: token } : {}) },
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    servers: 'mcpServers',
    home: reference('HOME'),
    file: (scope) => inHomeOrProject(scope, '.gemini', 'settings.json'),
    entry: (connection) =>
      connection.kind === 'store'
        ? { command: connection.command, args: connection.args }
        : { httpUrl: connection.url, ...authorization(connection, reference(token)) },
  },
};

export const clientNames = Object.keys(codingClients) as ClientName[];

/** A value that the client fills in. */
function reference(name: string): string {
  return `\${${name}}`;
}

function authorization({ usesToken }: { usesToken: boolean }, value: string) {
  return usesToken ? { headers: { Authorization: `Bearer ${value}` } } : {};
}

function inHomeOrProject(scope: Scope, directory: string, file: string): string {
  return scope === 'project' ? join(directory, file) : join(homedir(), directory, file);
}

function vsCodeDirectory({ XDG_CONFIG_HOME: config, APPDATA: roaming }: Environment): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Code');
  if (process.platform === 'win32') return join(roaming || join(homedir(), 'AppData', 'Roaming'), 'Code');
  return join(config || join(homedir(), '.config'), 'Code');
}
