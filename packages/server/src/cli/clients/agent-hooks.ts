import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config-options.js';
import type { ClientName, Scope } from './client-files.js';

export const agentNames = ['claude-code', 'codex', 'cursor', 'gemini'] as const;
export type AgentName = (typeof agentNames)[number];

/** When memories are shown to a model: once, or with every prompt too. */
export const recallTimes = ['start', 'prompt', 'never'] as const;
export type RecallTime = (typeof recallTimes)[number];

/** How a coding agent runs commands at moments of a session. */
export interface AgentHooks {
  client: AgentName;
  /** The same program among MCP clients. */
  mcp: ClientName;
  /** Member of the file that names its format, if it has one. */
  version?: number;
  file(scope: Scope, environment: Environment): string;
  /** Events for which a command is installed, by what memories are shown. */
  events(recall: RecallTime): readonly string[];
  entry(command: string): { [member: string]: unknown };
  /** What else the user has to do. */
  note?: string;
}

/** The hook gives up long before. */
const timeoutSeconds = 15;

export const agentHooks: Readonly<Record<AgentName, AgentHooks>> = {
  'claude-code': {
    client: 'claude-code',
    mcp: 'claude',
    file: (scope, { CLAUDE_CONFIG_DIR: directory }) =>
      scope === 'project'
        ? join('.claude', 'settings.json')
        : join(directory || join(homedir(), '.claude'), 'settings.json'),
    events: (recall) => ['SessionStart', ...(recall === 'prompt' ? ['UserPromptSubmit'] : []), 'Stop', 'SessionEnd'],
    entry: (command) => ({ hooks: [{ type: 'command', command, timeout: timeoutSeconds }] }),
  },
  codex: {
    client: 'codex',
    mcp: 'codex',
    file: (scope, { CODEX_HOME: directory }) =>
      scope === 'user' ? join(directory || join(homedir(), '.codex'), 'hooks.json') : join('.codex', 'hooks.json'),
    events: () => ['SessionStart', 'UserPromptSubmit', 'Stop'],
    entry: (command) => ({ hooks: [{ type: 'command', command, timeout: timeoutSeconds }] }),
    note: 'Codex runs new hooks once you have trusted them with /hooks. Older versions need codex_hooks = true under [features] in config.toml.',
  },
  cursor: {
    client: 'cursor',
    mcp: 'cursor',
    version: 1,
    file: (scope) => (scope === 'user' ? join(homedir(), '.cursor', 'hooks.json') : join('.cursor', 'hooks.json')),
    events: () => ['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse'],
    entry: (command) => ({ command }),
  },
  gemini: {
    client: 'gemini',
    mcp: 'gemini',
    file: (scope) =>
      scope === 'user' ? join(homedir(), '.gemini', 'settings.json') : join('.gemini', 'settings.json'),
    events: (recall) => ['SessionStart', ...(recall === 'prompt' ? ['BeforeAgent'] : []), 'AfterAgent'],
    entry: (command) => ({ hooks: [{ name: 'memhall', type: 'command', command, timeout: timeoutSeconds * 1000 }] }),
  },
};
