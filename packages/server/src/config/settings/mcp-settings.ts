import { choice, optionalText, type Setting } from '../setting.js';

export const mcpSettings = {
  mcpTools: choice({
    env: 'MEMHALL_MCP_TOOLS',
    flag: '--tools <set>',
    choices: ['memory', 'tiers', 'files', 'all'],
    default: 'memory',
    description:
      'The tools that `/mcp` and `memhall mcp` list: `memory` (search, store, correct and forget), `tiers` (the notes of agents, and search), `files` (the memory tool, and search) or `all` (all but the memory tool). Tools that are not listed can still be called.',
  }),
  mcpHosts: optionalText({
    env: 'MEMHALL_MCP_HOSTS',
    description:
      'Comma-separated list of further host names that `/mcp` accepts in the Host and Origin headers. By default it accepts the loopback names and the address it is bound to; bound to all addresses, it accepts any Host.',
  }),
} satisfies Record<string, Setting<unknown>>;
