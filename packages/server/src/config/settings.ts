import { choice, exactFlag, flag, integer, optionalPort, optionalText, type Setting, text } from './setting.js';

const maxQuota = 1_000_000_000;
const maxAgeHours = 100 * 366 * 24;

/** Everything that can be configured. The reference page is made from this table. */
export const settings = {
  host: text({
    env: 'MEMHALL_HOST',
    flag: '--host <address>',
    default: '127.0.0.1',
    description: 'Address the main listener binds to.',
  }),
  port: integer({
    env: 'MEMHALL_PORT',
    flag: '--port <number>',
    default: 8010,
    min: 0,
    max: 65_535,
    description: 'Port of the main listener; 0 picks a free one.',
  }),
  pluginHost: text({
    env: 'MEMHALL_PLUGIN_HOST',
    flag: '--plugin-host <address>',
    default: '127.0.0.1',
    description:
      'Address the plugin listener binds to. It has no authentication of its own: keep it on loopback, or set a token.',
  }),
  pluginPort: optionalPort({
    env: 'MEMHALL_PLUGIN_PORT',
    flag: '--plugin-port <number|off>',
    default: 9100,
    description: 'Port of the plugin listener; 0 picks a free one, `off` closes it.',
  }),
  pluginToken: optionalText({
    env: 'MEMHALL_PLUGIN_TOKEN',
    secret: true,
    description: 'Bearer token that callers of the plugin listener must send; none by default.',
  }),
  pluginSocket: optionalText({
    env: 'MEMHALL_PLUGIN_SOCKET',
    flag: '--plugin-socket <path>',
    description: 'Unix socket (mode 0600) that the plugin listener uses instead of an address and a port.',
  }),
  pluginTenant: text({
    env: 'MEMHALL_PLUGIN_TENANT',
    default: 'default',
    description: 'Tenant that the namespaces of the plugin listener belong to.',
  }),
  memoryPluginUrl: optionalText({
    env: 'MEMORY_PLUGIN_URL',
    description:
      'Memory plugin that agents reach through `/mcp`: `http://…`, `https://…` or `unix:/path`. Absent: the one that is built in.',
  }),
  memoryPluginToken: optionalText({
    env: 'MEMORY_PLUGIN_TOKEN',
    secret: true,
    description: 'Bearer token for that plugin, if it wants one.',
  }),
  memoryPluginTenant: text({
    env: 'MEMORY_PLUGIN_TENANT',
    default: 'default',
    description: 'The one tenant whose agents may use the plugin at MEMORY_PLUGIN_URL; others are answered with 403.',
  }),
  memoryPluginVectors: choice({
    env: 'MEMORY_PLUGIN_VECTORS',
    choices: ['plugin', 'host'],
    default: 'plugin',
    description:
      'Who turns text into vectors for the plugin at MEMORY_PLUGIN_URL: `plugin` (it does so itself), `host` (Memhall sends them, made by its own embedder, to a plugin that lists `embedding`).',
  }),
  memoryPluginHealthMs: integer({
    env: 'MEMORY_PLUGIN_HEALTH_MS',
    default: 15_000,
    min: 50,
    max: 3_600_000,
    description: 'How often the memory plugin in use is asked what it can do; tools follow it.',
  }),
  mcpHosts: optionalText({
    env: 'MEMHALL_MCP_HOSTS',
    description:
      'Further names, with commas between them, by which `/mcp` may be addressed and from whose pages it may be called. Without it: this machine and the address it is bound to.',
  }),
  dataDirectory: text({
    env: 'MEMHALL_DATA',
    flag: '--data <directory>',
    default: './data',
    description: 'Where the embedded database and the generated secrets live. Made with mode 0700.',
  }),
  databaseUrl: optionalText({
    env: 'DATABASE_URL',
    flag: '--database-url <url>',
    secret: true,
    description: 'PostgreSQL 15 or newer with pgvector, as `postgres://user:password@host/database`. Absent: embedded.',
  }),
  legacyDatabaseUrl: optionalText({
    env: 'MEMORY_LEGACY_DATABASE_URL',
    secret: true,
    defaultText: 'the same as `DATABASE_URL`',
    description:
      'PostgreSQL with the tables `agent_memories` and `workspaces` of an older store: see `memhall backfill`.',
  }),
  cutover: exactFlag({
    env: 'MEMORY_V2_CUTOVER',
    description:
      'When exactly `true`, `/admin/memories/export` and `/admin/memories/import` work on the memory plugin, and the older store is only read.',
  }),
  databasePoolSize: integer({
    env: 'MEMHALL_DATABASE_POOL_SIZE',
    default: 10,
    min: 1,
    max: 500,
    description: 'Connections to PostgreSQL at the most. The embedded database has one.',
  }),
  statementTimeoutMs: integer({
    env: 'MEMHALL_STATEMENT_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 3_600_000,
    description: 'A statement on PostgreSQL that runs longer is cancelled and answered with 503.',
  }),
  artifacts: choice({
    env: 'MEMHALL_ARTIFACTS',
    choices: ['postgres', 'azure-blob'],
    default: 'postgres',
    description:
      'Where documents, events and snapshots live: `postgres` (the database), `azure-blob` (Azure Blob Storage is the source of truth, the database is derived from it).',
  }),
  azureStorageConnectionString: optionalText({
    env: 'MEMHALL_AZURE_STORAGE_CONNECTION_STRING',
    secret: true,
    description: 'Connection string of the storage account, with its key or with a shared access signature.',
  }),
  azureContainer: text({
    env: 'MEMHALL_AZURE_CONTAINER',
    default: 'memhall',
    description: 'Container of the blobs; made at start where it is missing.',
  }),
  embedder: choice({
    env: 'MEMHALL_EMBEDDER',
    flag: '--embedder <kind>',
    choices: ['local', 'openai', 'none'],
    default: 'local',
    description:
      'What turns text into vectors: `local` (all-MiniLM-L6-v2, in the process, offline), `openai` (any endpoint that speaks its embeddings call), `none` (recall by words only).',
  }),
  embedderRuntime: choice({
    env: 'MEMHALL_EMBEDDER_RUNTIME',
    choices: ['auto', 'native', 'wasm'],
    default: 'auto',
    description:
      'Runtime of the local embedder: native where it loads, else WebAssembly, which is about ten times slower.',
  }),
  embedderUrl: optionalText({
    env: 'MEMHALL_EMBEDDER_URL',
    description: 'Base URL of the embeddings endpoint, up to and including the version, as in `https://host/v1`.',
  }),
  embedderModel: optionalText({ env: 'MEMHALL_EMBEDDER_MODEL', description: 'Model that the endpoint is asked for.' }),
  embedderKey: optionalText({
    env: 'MEMHALL_EMBEDDER_API_KEY',
    secret: true,
    description: 'Key that the endpoint wants, if any.',
  }),
  embedderDimension: integer({
    env: 'MEMHALL_EMBEDDER_DIMENSION',
    default: 0,
    min: 0,
    max: 16_000,
    description: "Length of the endpoint's vectors; 0 learns it at start. A wrong one is refused at start.",
  }),
  embedderQueryTimeoutMs: integer({
    env: 'MEMHALL_EMBEDDER_QUERY_TIMEOUT_MS',
    default: 3000,
    min: 1,
    max: 60_000,
    description: 'How long a recall waits for the endpoint, retries included; then it answers by words alone.',
  }),
  extractor: choice({
    env: 'MEMHALL_EXTRACTOR',
    flag: '--extractor <kind>',
    choices: ['rules', 'llm', 'none'],
    default: 'rules',
    description:
      'What finds in a conversation what is worth remembering: `rules` (English, in the process), `llm` (a model behind any endpoint that speaks the chat call of OpenAI; it picks, code checks), `none` (nothing is learned).',
  }),
  extractorUrl: optionalText({
    env: 'MEMHALL_EXTRACTOR_URL',
    description: 'Base URL of the chat endpoint, up to and including the version, as in `https://host/v1`.',
  }),
  extractorModel: optionalText({
    env: 'MEMHALL_EXTRACTOR_MODEL',
    description: 'Model that the chat endpoint is asked for.',
  }),
  extractorKey: optionalText({
    env: 'MEMHALL_EXTRACTOR_API_KEY',
    secret: true,
    description: 'Key that the chat endpoint wants, if any.',
  }),
  extractorTimeoutMs: integer({
    env: 'MEMHALL_EXTRACTOR_TIMEOUT_MS',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description: 'Time for one conversation with all tries; when it is over, the conversation waits for a later one.',
  }),
  recallCacheMegabytes: integer({
    env: 'MEMHALL_RECALL_CACHE_MB',
    default: 0,
    min: 0,
    max: 1_000_000,
    description:
      'Memory for the search columns of recently searched users; about 1.8 KB a memory. 0: an eighth of what the process may use, from 128 to 2048.',
  }),
  masterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY',
    secret: true,
    defaultText: 'made at first start, kept in `<data>/master-key` with mode 0600',
    description:
      'Key that the keys of the tenants, and so their snapshots, are locked with: 32 bytes in base64. All nodes need the same one.',
  }),
  previousMasterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY_PREVIOUS',
    secret: true,
    description: 'The master key before, while `memhall keys rotate` has not locked everything with the new one.',
  }),
  starterDirectory: optionalText({
    env: 'MEMHALL_STARTER',
    defaultText: 'what comes with Memhall',
    description:
      'Directory with `profiles/*.json` and `schemas/*.json` that every tenant has from the start. A tenant can register its own in their place.',
  }),
  recallResidentMemories: integer({
    env: 'MEMHALL_RECALL_RESIDENT_MEMORIES',
    default: 0,
    min: 0,
    max: 1_000_000_000,
    description:
      'A user, a namespace or the public part of a tenant with more memories is searched in PostgreSQL instead of in memory; 0: with more than 150,000, or than the cache can hold.',
  }),
  finishedPlanAgeHours: integer({
    env: 'MEMHALL_FINISHED_PLAN_AGE_HOURS',
    default: 7 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'How long the working memory of a finished plan is kept; 0 keeps it until it is deleted.',
  }),
  taskContextAgeHours: integer({
    env: 'MEMHALL_TASK_CONTEXT_AGE_HOURS',
    default: 30 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'How long a task context is kept that nobody changes; 0 keeps it until it is deleted.',
  }),
  jobs: flag({
    env: 'MEMHALL_JOBS',
    flag: '--no-jobs',
    default: true,
    description:
      'Whether a server runs jobs too. With the flag, or `false`, they wait for another server or a `memhall worker`.',
  }),
  migrate: flag({
    env: 'MEMHALL_MIGRATE',
    default: true,
    description: 'Bring the schema up to date at start. When false, a start on an older schema fails and says so.',
  }),
  jwtSecret: optionalText({
    env: 'MEMHALL_JWT_SECRET',
    secret: true,
    defaultText: 'made at first start, kept in `<data>/jwt-secret` with mode 0600',
    description: 'Secret of HS256 tokens, at least 32 bytes. With a JWKS URL and no secret, HS256 tokens are refused.',
  }),
  jwksUrl: optionalText({
    env: 'MEMHALL_JWKS_URL',
    description: 'Key set of the identity provider, for RS256 and ES256 tokens. Needs issuer and audience.',
  }),
  jwtIssuer: optionalText({
    env: 'MEMHALL_JWT_ISSUER',
    description: 'Required `iss` of tokens checked against the key set.',
  }),
  jwtAudience: optionalText({
    env: 'MEMHALL_JWT_AUDIENCE',
    description: 'Required `aud` of tokens checked against the key set.',
  }),
  requestTimeoutMs: integer({
    env: 'MEMHALL_REQUEST_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 600_000,
    description: 'Time a client has to send a whole request; slower ones are answered with 408.',
  }),
  uploadMaxMegabytes: integer({
    env: 'MEMHALL_UPLOAD_MAX_MB',
    default: 25,
    min: 1,
    max: 1024,
    description: 'Largest file, in MiB, that the gateway takes; larger ones are answered with 413.',
  }),
  quotaTenantPerMinute: integer({
    env: 'MEMHALL_QUOTA_TENANT_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests a tenant may make in a minute, per process; 0 is no limit.',
  }),
  quotaUserPerMinute: integer({
    env: 'MEMHALL_QUOTA_USER_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests made for one user in a minute, per process; 0 is no limit.',
  }),
  quotaServicePerMinute: integer({
    env: 'MEMHALL_QUOTA_SERVICE_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests one service of a tenant may make in a minute, per process; 0 is no limit.',
  }),
  logLevel: choice({
    env: 'MEMHALL_LOG_LEVEL',
    flag: '--log-level <level>',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description:
      'Least serious log lines to write (JSON, to standard error): trace, debug, info, warn, error, fatal, silent.',
  }),
  otlpEndpoint: optionalText({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'OpenTelemetry collector (OTLP over HTTP) that receives a span per request and per SQL statement.',
  }),
} satisfies Record<string, Setting<unknown>>;

export type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };
