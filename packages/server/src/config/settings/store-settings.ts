import { choice, exactFlag, flag, integer, optionalText, type Setting, text } from '../setting.js';

export const storeSettings = {
  dataDirectory: text({
    env: 'MEMHALL_DATA',
    flag: '--data <directory>',
    pathAfter: '',
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
  databasePoolSize: integer({
    env: 'MEMHALL_DATABASE_POOL_SIZE',
    default: 10,
    min: 1,
    max: 500,
    description: 'Maximum number of connections to PostgreSQL. The embedded database always has one.',
  }),
  databasePooler: choice({
    env: 'MEMHALL_DATABASE_POOLER',
    default: 'auto',
    choices: ['auto', 'none', 'transaction'],
    description:
      'Set this to `transaction` if a connection pooler such as PgBouncer is in between and gives each transaction another session. `auto` assumes that if there is any pooler; `none` relies on sessions of its own. See docs/operate/scale.md.',
  }),
  databaseDirectUrl: optionalText({
    env: 'MEMHALL_DATABASE_DIRECT_URL',
    secret: true,
    description:
      'URL of the same database past the connection pooler. Only vector indexes of large partitions and `memhall compact` use it, because they need a session of their own.',
  }),
  readDatabaseUrl: optionalText({
    env: 'MEMHALL_READ_DATABASE_URL',
    secret: true,
    description:
      'URL of a standby of the same PostgreSQL that follows by streaming replication. Recall and other calls that only show what is stored read from it, as soon as it has everything that was acknowledged before. See docs/operate/scale.md.',
  }),
  readWaitMs: integer({
    env: 'MEMHALL_READ_WAIT_MS',
    default: 50,
    min: 0,
    max: 10_000,
    description:
      'How long in milliseconds a read waits for a standby that is behind. After that, it goes to `DATABASE_URL`.',
  }),
  statementTimeoutMs: integer({
    env: 'MEMHALL_STATEMENT_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 3_600_000,
    description:
      'Timeout of a PostgreSQL statement in milliseconds. A statement that runs longer is cancelled, and the request fails with status 503.',
  }),
  migrate: flag({
    env: 'MEMHALL_MIGRATE',
    default: true,
    description:
      'Whether the server brings the database schema up to date at start. If `false`, starting on an outdated schema fails: run `memhall migrate` first.',
  }),
  jobs: flag({
    env: 'MEMHALL_JOBS',
    flag: '--no-jobs',
    default: true,
    description:
      'Whether the server runs background jobs. With `--no-jobs` or `false` it runs none: another server or a `memhall worker` must run them.',
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
} satisfies Record<string, Setting<unknown>>;
