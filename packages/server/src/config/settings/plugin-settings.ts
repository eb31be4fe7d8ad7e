import { choice, flag, integer, optionalPort, optionalText, type Setting, text } from '../setting.js';

export const pluginSettings = {
  pluginHost: text({
    env: 'MEMHALL_PLUGIN_HOST',
    flag: '--plugin-host <address>',
    default: '127.0.0.1',
    description:
      'Address that the plugin listener binds to. The plugin listener has no authentication by default: keep it on loopback, or set MEMHALL_PLUGIN_TOKEN. Without a token, the server starts only if this is loopback or a name whose addresses all are.',
  }),
  pluginPort: optionalPort({
    env: 'MEMHALL_PLUGIN_PORT',
    flag: '--plugin-port <number|off>',
    default: 9100,
    description: 'Port of the plugin listener. 0 picks a free port; `off` disables the listener.',
  }),
  pluginSocket: optionalText({
    env: 'MEMHALL_PLUGIN_SOCKET',
    flag: '--plugin-socket <path>',
    pathAfter: '',
    description: 'Unix socket for the plugin listener, created with mode 0600 and used instead of an address and port.',
  }),
  pluginToken: optionalText({
    env: 'MEMHALL_PLUGIN_TOKEN',
    secret: true,
    description: 'Bearer token that callers of the plugin listener must send. By default none is required.',
  }),
  pluginOpenToNetwork: flag({
    env: 'MEMHALL_PLUGIN_OPEN_TO_NETWORK',
    flag: '--plugin-open-to-network',
    default: false,
    description:
      'Whether the plugin listener may be open to other machines without a token. Everyone who can reach it can then read, change and delete all of its memories.',
  }),
  pluginTenant: text({
    env: 'MEMHALL_PLUGIN_TENANT',
    default: 'default',
    description: 'Tenant that owns the namespaces of the plugin listener.',
  }),
  memoryPluginUrl: optionalText({
    env: 'MEMORY_PLUGIN_URL',
    description:
      'Memory plugin that agents reach through `/mcp`: `http://…`, `https://…` or `unix:/path`. By default the built-in plugin.',
  }),
  memoryPluginToken: optionalText({
    env: 'MEMORY_PLUGIN_TOKEN',
    secret: true,
    description: 'Bearer token for the plugin at MEMORY_PLUGIN_URL, if it requires one.',
  }),
  memoryPluginTenant: text({
    env: 'MEMORY_PLUGIN_TENANT',
    default: 'default',
    description:
      'The only tenant whose agents may use the plugin at MEMORY_PLUGIN_URL. Agents of other tenants search the store of this server alone and cannot commit memories.',
  }),
  memoryPluginVectors: choice({
    env: 'MEMORY_PLUGIN_VECTORS',
    choices: ['auto', 'plugin', 'host'],
    default: 'auto',
    description:
      'What turns text into vectors for the plugin at MEMORY_PLUGIN_URL: `plugin` (the plugin itself), `host` (the embedder of Memhall, which sends them to a plugin that lists the capability `embedding`) or `auto` (the embedder of Memhall, if the plugin lists `embedding` and not `fts`).',
  }),
  memoryPluginHealthMs: integer({
    env: 'MEMORY_PLUGIN_HEALTH_MS',
    default: 15_000,
    min: 50,
    max: 3_600_000,
    description:
      'Interval in milliseconds at which the health and capabilities of the memory plugin are checked. The MCP tools follow its capabilities.',
  }),
} satisfies Record<string, Setting<unknown>>;
