import {
  choice,
  choiceOrPath,
  exactFlag,
  flag,
  integer,
  mapping,
  networks,
  optionalPort,
  optionalText,
  type Setting,
  text,
} from './setting.js';

const maxQuota = 1_000_000_000;
const maxAgeHours = 100 * 366 * 24;

/** All settings. The reference page is generated from this table. */
export const settings = {
  host: text({
    env: 'MEMHALL_HOST',
    flag: '--host <address>',
    default: '127.0.0.1',
    description: 'Address that the main listener binds to.',
  }),
  port: integer({
    env: 'MEMHALL_PORT',
    flag: '--port <number>',
    default: 8010,
    min: 0,
    max: 65_535,
    description: 'Port of the main listener. 0 picks a free port.',
  }),
  pluginHost: text({
    env: 'MEMHALL_PLUGIN_HOST',
    flag: '--plugin-host <address>',
    default: '127.0.0.1',
    description:
      'Address that the plugin listener binds to. The plugin listener has no authentication by default: keep it on loopback, or set MEMHALL_PLUGIN_TOKEN. Without a token, the server starts only if this is loopback or a name whose addresses all are.',
  }),
  pluginOpenToNetwork: flag({
    env: 'MEMHALL_PLUGIN_OPEN_TO_NETWORK',
    flag: '--plugin-open-to-network',
    default: false,
    description:
      'Whether the plugin listener may be open to other machines without a token. Everyone who can reach it can then read, change and delete all of its memories.',
  }),
  pluginPort: optionalPort({
    env: 'MEMHALL_PLUGIN_PORT',
    flag: '--plugin-port <number|off>',
    default: 9100,
    description: 'Port of the plugin listener. 0 picks a free port; `off` disables the listener.',
  }),
  pluginToken: optionalText({
    env: 'MEMHALL_PLUGIN_TOKEN',
    secret: true,
    description: 'Bearer token that callers of the plugin listener must send. By default none is required.',
  }),
  pluginSocket: optionalText({
    env: 'MEMHALL_PLUGIN_SOCKET',
    flag: '--plugin-socket <path>',
    description: 'Unix socket for the plugin listener, created with mode 0600 and used instead of an address and port.',
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
  mcpTools: choice({
    env: 'MEMHALL_MCP_TOOLS',
    flag: '--tools <set>',
    choices: ['memory', 'tiers', 'all'],
    default: 'memory',
    description:
      'The tools that `/mcp` and `memhall mcp` list: `memory` (search, store, correct and forget), `tiers` (the notes of agents, and search) or `all`. Tools that are not listed can still be called.',
  }),
  mcpHosts: optionalText({
    env: 'MEMHALL_MCP_HOSTS',
    description:
      'Comma-separated list of further host names that `/mcp` accepts in the Host and Origin headers. By default it accepts the loopback names and the address it is bound to; bound to all addresses, it accepts any Host.',
  }),
  metricsHost: text({
    env: 'MEMHALL_METRICS_HOST',
    flag: '--metrics-host <address>',
    default: '127.0.0.1',
    description: 'Address that the metrics listener of a worker binds to.',
  }),
  metricsPort: optionalPort({
    env: 'MEMHALL_METRICS_PORT',
    flag: '--metrics-port <number|off>',
    default: 0,
    description:
      'Port of the metrics listener of a worker: `/metrics`, `/health` and `/ready`. 0 picks a free port; `off` disables the listener.',
  }),
  dataDirectory: text({
    env: 'MEMHALL_DATA',
    flag: '--data <directory>',
    default: './data',
    description: 'Directory of the embedded database and the generated secrets. Created with mode 0700.',
  }),
  databaseUrl: optionalText({
    env: 'DATABASE_URL',
    flag: '--database-url <url>',
    secret: true,
    description:
      'URL of a PostgreSQL database, version 15 or newer with pgvector: `postgres://user:password@host/database`. By default the embedded database is used.',
  }),
  legacyDatabaseUrl: optionalText({
    env: 'MEMORY_LEGACY_DATABASE_URL',
    secret: true,
    defaultText: 'the same as `DATABASE_URL`',
    description:
      'URL of the PostgreSQL database with the tables `agent_memories` and `workspaces` of an older store. See `memhall backfill`.',
  }),
  cutover: exactFlag({
    env: 'MEMORY_V2_CUTOVER',
    description:
      'If exactly `true`, `/admin/memories/export` and `/admin/memories/import` use the memory plugin, and the older store is only read.',
  }),
  databasePoolSize: integer({
    env: 'MEMHALL_DATABASE_POOL_SIZE',
    default: 10,
    min: 1,
    max: 500,
    description: 'Maximum number of connections to PostgreSQL. The embedded database always has one.',
  }),
  statementTimeoutMs: integer({
    env: 'MEMHALL_STATEMENT_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 3_600_000,
    description:
      'Timeout of a PostgreSQL statement in milliseconds. A statement that runs longer is cancelled, and the request fails with status 503.',
  }),
  artifacts: choice({
    env: 'MEMHALL_ARTIFACTS',
    choices: ['postgres', 'azure-blob'],
    default: 'postgres',
    description:
      'Where documents, events and snapshots are stored: `postgres` (in the database) or `azure-blob` (Azure Blob Storage is the source of truth, and the database is derived from it).',
  }),
  azureStorageConnectionString: optionalText({
    env: 'MEMHALL_AZURE_STORAGE_CONNECTION_STRING',
    secret: true,
    description:
      'Connection string of the Azure storage account, with an account key or a shared access signature. If MEMHALL_ARTIFACTS is `azure-blob`, this or MEMHALL_AZURE_STORAGE_URL is required.',
  }),
  azureStorageUrl: optionalText({
    env: 'MEMHALL_AZURE_STORAGE_URL',
    description:
      'URL of the blob service of the Azure storage account, such as `https://<account>.blob.core.windows.net`, to use the identity of the process instead of a connection string.',
  }),
  azureContainer: text({
    env: 'MEMHALL_AZURE_CONTAINER',
    default: 'memhall',
    description: 'Azure container of the blobs. Created at start if it is missing.',
  }),
  azureSearchUrl: optionalText({
    env: 'MEMHALL_AZURE_SEARCH_URL',
    description:
      'URL of an Azure AI Search service, such as `https://<service>.search.windows.net`, that finds events by words instead of recall. Uses the identity of the process unless MEMHALL_AZURE_SEARCH_API_KEY is set: see docs/operate/azure.md.',
  }),
  azureSearchIndex: text({
    env: 'MEMHALL_AZURE_SEARCH_INDEX',
    default: 'memhall-events',
    description: 'Index of the Azure AI Search service that holds the events. Created if it is missing.',
  }),
  azureSearchKey: optionalText({
    env: 'MEMHALL_AZURE_SEARCH_API_KEY',
    secret: true,
    description: 'Admin key of the Azure AI Search service, to use it instead of the identity of the process.',
  }),
  embedder: choiceOrPath({
    env: 'MEMHALL_EMBEDDER',
    flag: '--embedder <kind>',
    choices: ['local', 'openai', 'none'],
    prefix: 'onnx',
    default: 'local',
    description:
      'What turns text into vectors: `local` (all-MiniLM-L6-v2, runs in the process, offline), `onnx:<directory>` (a sentence-embedding model in ONNX form, likewise), `openai` (any endpoint compatible with the OpenAI embeddings API) or `none` (recall matches words only).',
  }),
  embedderRuntime: choice({
    env: 'MEMHALL_EMBEDDER_RUNTIME',
    choices: ['auto', 'native', 'wasm'],
    default: 'auto',
    description:
      'Runtime of the local embedder: `native`, `wasm` (WebAssembly, about ten times slower) or `auto` (native if it loads, otherwise WebAssembly).',
  }),
  embedderUrl: optionalText({
    env: 'MEMHALL_EMBEDDER_URL',
    description:
      'Base URL of the embeddings endpoint, including the version, such as `https://host/v1`. Required if MEMHALL_EMBEDDER is `openai`.',
  }),
  embedderModel: optionalText({
    env: 'MEMHALL_EMBEDDER_MODEL',
    description: 'Model to request from the embeddings endpoint.',
  }),
  embedderKey: optionalText({
    env: 'MEMHALL_EMBEDDER_API_KEY',
    secret: true,
    description: 'API key of the embeddings endpoint, if it requires one.',
  }),
  embedderDimension: integer({
    env: 'MEMHALL_EMBEDDER_DIMENSION',
    default: 0,
    min: 0,
    max: 16_000,
    description: "Length of the endpoint's vectors. 0 detects it at start. The start fails if the length is wrong.",
  }),
  embedderQueryTimeoutMs: integer({
    env: 'MEMHALL_EMBEDDER_QUERY_TIMEOUT_MS',
    default: 3000,
    min: 1,
    max: 60_000,
    description:
      'Time in milliseconds that a recall waits for the embeddings endpoint, including retries. After that the recall matches words only.',
  }),
  extractor: choice({
    env: 'MEMHALL_EXTRACTOR',
    flag: '--extractor <kind>',
    choices: ['rules', 'llm', 'none'],
    default: 'rules',
    description:
      'What extracts facts worth remembering from conversations: `rules` (English, German, French and Spanish; runs in the process), `llm` (a model behind any endpoint compatible with the OpenAI chat API; its proposals are checked in code) or `none` (nothing is learned).',
  }),
  extractorUrl: optionalText({
    env: 'MEMHALL_EXTRACTOR_URL',
    description:
      'Base URL of the chat endpoint, including the version, such as `https://host/v1`. Required if MEMHALL_EXTRACTOR is `llm`.',
  }),
  extractorModel: optionalText({
    env: 'MEMHALL_EXTRACTOR_MODEL',
    description: 'Model to request from the chat endpoint.',
  }),
  extractorKey: optionalText({
    env: 'MEMHALL_EXTRACTOR_API_KEY',
    secret: true,
    description: 'API key of the chat endpoint, if it requires one.',
  }),
  extractorTimeoutMs: integer({
    env: 'MEMHALL_EXTRACTOR_TIMEOUT_MS',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description:
      'Time in milliseconds for extracting from one conversation, including retries. After that the conversation is tried again later.',
  }),
  recallCacheMegabytes: integer({
    env: 'MEMHALL_RECALL_CACHE_MB',
    default: 0,
    min: 0,
    max: 1_000_000,
    description:
      'Size in MiB of the cache for the search data of recently searched users, about 1.8 KB per memory. 0 uses an eighth of the memory available to the process, at least 128 and at most 2048.',
  }),
  masterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY',
    secret: true,
    defaultText: 'created on first start in `<data>/master-key`, with mode 0600',
    description:
      'Master key that encrypts the keys of the tenants, which encrypt their snapshots: 32 bytes in base64. All nodes need the same key.',
  }),
  previousMasterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY_PREVIOUS',
    secret: true,
    description: 'The previous master key. Set it until `memhall keys rotate` has finished.',
  }),
  keyVaultKey: optionalText({
    env: 'MEMHALL_KEY_VAULT_KEY',
    description:
      'Key in Azure Key Vault that encrypts the keys of the tenants instead of a master key: `https://<vault>.vault.azure.net/keys/<name>`, an RSA key. Uses the identity of the process: see docs/operate/azure.md.',
  }),
  auditKey: optionalText({
    env: 'MEMHALL_AUDIT_KEY',
    secret: true,
    defaultText: 'created on first start in `<data>/audit-key`, with mode 0600',
    description:
      'Private key that signs the audit log: an Ed25519 key, 32 bytes in base64. All nodes need the same key. Keep it from the owner of the database.',
  }),
  previousAuditKeys: optionalText({
    env: 'MEMHALL_AUDIT_KEY_PREVIOUS',
    description:
      'Comma-separated list of the public keys of earlier audit keys, as `memhall audit key` printed them. Their signatures still count.',
  }),
  auditHeadSeconds: integer({
    env: 'MEMHALL_AUDIT_HEAD_SECONDS',
    default: 300,
    min: 0,
    max: 86_400,
    description:
      'Seconds between two signed heads of an audit log that has new records, at least 30. 0 signs only on demand: see docs/operate/audit.md.',
  }),
  auditWitness: optionalText({
    env: 'MEMHALL_AUDIT_WITNESS',
    description:
      'Where each signed head of an audit log is sent: `https://…` (receives it by POST), `azure-blob:<container>` or `file:<path>`. Choose a place that the owner of the database cannot change.',
  }),
  auditWitnessSecret: optionalText({
    env: 'MEMHALL_AUDIT_WITNESS_SECRET',
    secret: true,
    description:
      'Bearer token for a witness at a URL, or the connection string of the storage account for `azure-blob`. By default no token, or the account of MEMHALL_AZURE_STORAGE_CONNECTION_STRING or MEMHALL_AZURE_STORAGE_URL.',
  }),
  starterDirectory: optionalText({
    env: 'MEMHALL_STARTER',
    defaultText: 'the directory shipped with Memhall',
    description:
      'Directory of `profiles/*.json` and `schemas/*.json` that every tenant starts with. A tenant can register its own to replace them.',
  }),
  recallResidentMemories: integer({
    env: 'MEMHALL_RECALL_RESIDENT_MEMORIES',
    default: 0,
    min: 0,
    max: 1_000_000_000,
    description:
      'Number of memories above which a user, a namespace or the public part of a tenant is searched in PostgreSQL instead of in memory. 0 uses 150,000, or what fits into the cache if that is less. Ignored with the embedded database, which is always searched in memory.',
  }),
  finishedPlanAgeHours: integer({
    env: 'MEMHALL_FINISHED_PLAN_AGE_HOURS',
    default: 7 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'Hours that the working memory of a finished plan is kept. 0 keeps it until it is deleted.',
  }),
  taskContextAgeHours: integer({
    env: 'MEMHALL_TASK_CONTEXT_AGE_HOURS',
    default: 30 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'Hours that a task context is kept after its last change. 0 keeps it until it is deleted.',
  }),
  jobs: flag({
    env: 'MEMHALL_JOBS',
    flag: '--no-jobs',
    default: true,
    description:
      'Whether the server runs background jobs. With `--no-jobs` or `false`, jobs wait for another server or a `memhall worker`.',
  }),
  migrate: flag({
    env: 'MEMHALL_MIGRATE',
    default: true,
    description:
      'Whether the server brings the database schema up to date at start. If `false`, starting on an outdated schema fails: run `memhall migrate` first.',
  }),
  jwtSecret: optionalText({
    env: 'MEMHALL_JWT_SECRET',
    secret: true,
    defaultText: 'created on first start in `<data>/jwt-secret`, with mode 0600',
    description:
      'Secret for HS256 tokens, at least 32 bytes. If MEMHALL_JWKS_URL is set and this is not, HS256 tokens are rejected.',
  }),
  jwksUrl: optionalText({
    env: 'MEMHALL_JWKS_URL',
    description:
      'URL of the key set (JWKS) of the identity provider, for RS256 and ES256 tokens. Requires MEMHALL_JWT_ISSUER and MEMHALL_JWT_AUDIENCE.',
  }),
  jwtIssuer: optionalText({
    env: 'MEMHALL_JWT_ISSUER',
    description: 'Required `iss` claim of tokens that are verified with the key set.',
  }),
  jwtAudience: optionalText({
    env: 'MEMHALL_JWT_AUDIENCE',
    description: 'Required `aud` claim of tokens that are verified with the key set.',
  }),
  jwtClaims: mapping({
    env: 'MEMHALL_JWT_CLAIMS',
    names: [
      'tenant_id',
      'user_id',
      'service_id',
      'roles',
      'workspace_id',
      'team_id',
      'org_id',
      'agent_id',
      'crew_id',
      'namespaces',
      'org_root',
      'max_trust',
      'jti',
    ],
    defaultText: 'the same names',
    description:
      'Names that the identity provider uses for claims, such as `tenant_id=tid,user_id=oid,roles=roles`. Applies to tokens that are verified with the key set.',
  }),
  tokenMaxHours: integer({
    env: 'MEMHALL_TOKEN_MAX_HOURS',
    default: 0,
    min: 0,
    max: maxAgeHours,
    description:
      'Hours that a token may be valid. Tokens with a longer life, or without `iat`, are rejected. Revocations are then dropped after this time. 0 means no limit.',
  }),
  usersWithoutToken: flag({
    env: 'MEMHALL_USERS_WITHOUT_TOKEN',
    default: true,
    description:
      'Whether callers on this machine can create users of the gateway without a token (`POST /users`), if the database is embedded and the main listener is bound to loopback. Set it to `false` before you put a proxy in front of the server.',
  }),
  requestTimeoutMs: integer({
    env: 'MEMHALL_REQUEST_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 600_000,
    description:
      'Time in milliseconds that a client has to send a complete request. Slower requests fail with status 408.',
  }),
  stallMs: integer({
    env: 'MEMHALL_STALL_MS',
    default: 100,
    min: 0,
    max: 60_000,
    description:
      'Delay of the event loop in milliseconds from which the operation that caused it is logged and counted. 0 logs none.',
  }),
  shedDelayMs: integer({
    env: 'MEMHALL_SHED_DELAY_MS',
    default: 1000,
    min: 0,
    max: 60_000,
    description:
      'Mean delay of the event loop in milliseconds above which, after three seconds, the server refuses new requests with status 503. 0 never refuses them.',
  }),
  uploadMaxMegabytes: integer({
    env: 'MEMHALL_UPLOAD_MAX_MB',
    default: 25,
    min: 1,
    max: 1024,
    description:
      'Largest file, in MiB, that can be uploaded to the gateway. Larger files are rejected with status 413.',
  }),
  quotaTenantPerMinute: integer({
    env: 'MEMHALL_QUOTA_TENANT_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a tenant, counted per process. 0 means no limit.',
  }),
  quotaUserPerMinute: integer({
    env: 'MEMHALL_QUOTA_USER_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a user, counted per process. 0 means no limit.',
  }),
  quotaServicePerMinute: integer({
    env: 'MEMHALL_QUOTA_SERVICE_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a service of a tenant, counted per process. 0 means no limit.',
  }),
  quotaTokenlessPerMinute: integer({
    env: 'MEMHALL_QUOTA_TOKENLESS_PER_MINUTE',
    default: 100,
    min: 0,
    max: maxQuota,
    description:
      'Requests per minute allowed for all callers that create users without a token together, counted per process. 0 means no limit.',
  }),
  quotaFailedKeysPerMinute: integer({
    env: 'MEMHALL_QUOTA_FAILED_KEYS_PER_MINUTE',
    default: 100,
    min: 0,
    max: maxQuota,
    description:
      'Wrong user keys per minute that an address can send to the gateway, counted per process. After that, only keys that were right in the last hour are accepted from it until the minute is over. 0 means no limit.',
  }),
  trustedProxies: networks({
    env: 'MEMHALL_TRUSTED_PROXIES',
    defaultText: 'none',
    description:
      'Comma-separated list of addresses and networks of reverse proxies, such as `127.0.0.1,10.0.0.0/8`. The address of a client is then read from the X-Forwarded-For header that they send. It is used to limit wrong user keys.',
  }),
  logLevel: choice({
    env: 'MEMHALL_LOG_LEVEL',
    flag: '--log-level <level>',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description:
      'Minimum level of log lines, which are written as JSON to standard error: trace, debug, info, warn, error, fatal, silent.',
  }),
  otlpEndpoint: optionalText({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'URL of an OpenTelemetry collector (OTLP over HTTP) that receives a span for each request and SQL statement. By default tracing is off.',
  }),
} satisfies Record<string, Setting<unknown>>;

export type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };
