// The rooms of the code: what each folder is for and which others it may import. `check-imports` enforces it, and
// `npm run generate` writes it into ARCHITECTURE.md.

/** @typedef {{ purpose: string, uses: string[] }} Room */

/** Workspace packages, and the workspace packages each may import. @type {Record<string, Room>} */
export const packages = {
  core: {
    purpose:
      'Problems, ids, JSON Patch, text and tier rules, the redactor, the injection scanner and the verifier of audit proofs. No I/O; runs anywhere.',
    uses: [],
  },
  server: {
    purpose: 'Published as `memhall`: the engine, the store, the surfaces and the command.',
    uses: ['@memhall/conformance', '@memhall/core'],
  },
  client: {
    purpose: 'The SDK. Uses `fetch` only; its types are generated from the route tables.',
    uses: ['@memhall/core'],
  },
  agent: {
    purpose: 'What runs beside a model: memory backends, the agent loop, providers and tools.',
    uses: [
      '@memhall/client',
      '@memhall/client/documents',
      '@memhall/client/memory-tool',
      '@memhall/client/one-memory',
      '@memhall/core',
    ],
  },
  conformance: { purpose: 'Black-box suites for authors of plugins and providers.', uses: [] },
  benchmark: {
    purpose: 'A benchmark of governed memory for any system with an adapter. Talks to Memhall over HTTP, like anybody.',
    uses: ['@memhall/client', '@memhall/client/documents', '@memhall/client/one-memory'],
  },
  console: {
    purpose: 'The web page of a server, in React. Built into the `memhall` package, which serves it at /console.',
    uses: [
      '@memhall/agent/turn',
      '@memhall/client',
      '@memhall/client/documents',
      '@memhall/client/one-memory',
      '@memhall/client/operations',
    ],
  },
};

/** Folders of packages/server/src. `main` stands for the files directly in it. @type {Record<string, Room>} */
export const layers = {
  config: { purpose: 'All settings: names, defaults, checks.', uses: [] },
  ports: { purpose: 'Interfaces of everything the engine needs, fully documented.', uses: [] },
  engine: { purpose: 'The rules. One folder per capability, one function per use case.', uses: ['ports'] },
  outer: {
    purpose:
      'Stores that decorate the database: blob storage as the source of truth of artifacts, an outer search index of events.',
    uses: ['engine', 'ports'],
  },
  store: { purpose: 'All SQL, for both databases, and the job queue.', uses: ['ports'] },
  providers: {
    purpose: 'Adapters: embedders, extractors, file readers, artifact stores, keys, memory plugins.',
    uses: ['ports'],
  },
  telemetry: { purpose: 'OpenTelemetry tracing.', uses: [] },
  jobs: { purpose: 'Background jobs. One file per job: read the payload, call the engine.', uses: ['engine', 'ports'] },
  http: { purpose: 'Identity, limits, validation, problems, metrics, OpenAPI.', uses: ['engine', 'ports'] },
  surfaces: { purpose: 'One folder per contract: routes, schemas, translations.', uses: ['engine', 'http', 'ports'] },
  composition: {
    purpose: 'Creates the parts from the configuration and connects them.',
    uses: ['config', 'engine', 'http', 'jobs', 'outer', 'ports', 'providers', 'store', 'surfaces'],
  },
  main: {
    purpose: 'The server and the library entry.',
    uses: ['composition', 'config', 'engine', 'http', 'ports', 'surfaces', 'telemetry'],
  },
  cli: {
    purpose: 'The `memhall` command. One file per command.',
    uses: ['composition', 'config', 'engine', 'http', 'main', 'ports', 'surfaces'],
  },
};

/**
 * Folders of the engine, from the bottom up. Files directly in `engine` are shared by all rooms and import none; only
 * `engine.ts` names types of rooms, because it lists the parts that every use case works with.
 * @type {Record<string, Room>}
 */
export const engineRooms = {
  audit: {
    purpose:
      'Every write: the change and its audit records in one transaction; the hash chain, its check, its list; the signed log and its proofs.',
    uses: [],
  },
  users: {
    purpose: 'Users of the gateway and their keys; what users have set, such as their time zone.',
    uses: ['audit'],
  },
  tokens: { purpose: 'Tokens that were revoked before they expire.', uses: ['audit'] },
  state: { purpose: 'Working values, task contexts, plans and sessions.', uses: ['audit'] },
  'memories/analysis': { purpose: 'Words, languages, traits and time expressions of a text.', uses: [] },
  'memories/index': {
    purpose: 'The columns that ranking reads, cached per partition and stored in pages.',
    uses: ['audit', 'memories/analysis'],
  },
  memories: {
    purpose: 'Remember, get, list, update, forget and expire memories; namespaces; the table of kinds.',
    uses: ['audit', 'memories/analysis', 'memories/index'],
  },
  'memories/recall': {
    purpose: 'Query plan, candidates and ranking.',
    uses: ['audit', 'memories', 'memories/analysis', 'memories/index'],
  },
  facts: {
    purpose: 'What is true of a subject, since when, and on whose word; attributes; the life of a fact.',
    uses: ['audit', 'memories'],
  },
  documents: { purpose: 'Governed documents: read, patch, replace, history; schemas and profiles.', uses: ['audit'] },
  'document-pieces': {
    purpose: 'Pieces of governed documents, as memories that recall finds.',
    uses: ['audit', 'documents', 'memories'],
  },
  events: { purpose: 'Events and their search index.', uses: ['audit', 'memories'] },
  resources: { purpose: 'Uploaded files and the memories made from them.', uses: ['audit', 'memories'] },
  tiers: {
    purpose: 'Notes of agents and crews, as documents of a workspace; quarantine.',
    uses: ['audit', 'documents', 'memories'],
  },
  'memory-files': {
    purpose: 'Files of agents: governed documents that a model edits with the commands of the memory tool.',
    uses: ['audit', 'documents'],
  },
  history: {
    purpose: 'Who wrote a memory and what changed since, from the audit log.',
    uses: ['audit', 'document-pieces', 'documents', 'events', 'memories', 'resources', 'tiers'],
  },
  compaction: { purpose: 'Shortens documents that grow too long.', uses: ['audit', 'documents', 'events', 'memories'] },
  conversations: {
    purpose: 'Chats, snapshots, replay, and the facts learned from them.',
    uses: [
      'audit',
      'compaction',
      'context',
      'document-pieces',
      'documents',
      'events',
      'facts',
      'memories',
      'resources',
      'tiers',
    ],
  },
  'document-facts': {
    purpose:
      'Lets governed documents and facts agree, as profiles say: what is written there, and what follows from facts.',
    uses: ['audit', 'conversations', 'document-pieces', 'documents', 'facts', 'memories'],
  },
  'one-memory': {
    purpose: 'What a caller may read and write, and remember, recall, change and forget over all of it.',
    uses: ['audit', 'document-pieces', 'events', 'facts', 'memories', 'memories/recall', 'resources', 'tiers'],
  },
  changes: {
    purpose: 'What changed since a cursor, for readers that follow it.',
    uses: ['audit', 'memories', 'one-memory'],
  },
  webhooks: { purpose: 'Endpoints of tenants that learn what changed, and what they were sent.', uses: ['audit'] },
  context: {
    purpose: 'Assembles the documents and memories a model gets to read.',
    uses: ['document-pieces', 'documents', 'memories', 'memory-files', 'one-memory', 'tiers'],
  },
  'personal-export': {
    purpose: 'What a user owns, for the user to read or to take elsewhere.',
    uses: ['audit', 'document-pieces', 'documents', 'facts', 'memories', 'one-memory', 'resources', 'tiers'],
  },
  plugin: { purpose: 'The built-in memory plugin.', uses: ['facts', 'memories'] },
  host: {
    purpose: 'Guards a memory plugin: what an agent reads and writes through it.',
    uses: ['audit', 'documents', 'memories', 'one-memory', 'plugin', 'tiers'],
  },
  backfill: {
    purpose: 'Copies memories of an older store into a plugin, and verifies the copies.',
    uses: ['host', 'memories', 'one-memory', 'plugin'],
  },
  cutover: {
    purpose: 'Exports and imports memories on either side of a change of plugin.',
    uses: ['audit', 'backfill', 'host', 'memories', 'one-memory', 'plugin'],
  },
  imports: {
    purpose: 'Brings in what other tools remember.',
    uses: ['memories', 'one-memory'],
  },
  archive: { purpose: 'Export and import of a tenant, row by row.', uses: ['audit'] },
  governance: {
    purpose: 'Retention, erasure with receipts, legal holds.',
    uses: ['audit', 'documents', 'events', 'memories', 'resources', 'tiers'],
  },
  operations: {
    purpose: 'What operators see and do: tenants and owners, jobs to retry, what makes recall slow. No content.',
    uses: ['audit', 'memories'],
  },
  sources: {
    purpose: 'Takes back what a source wrote or caused, and restores it.',
    uses: ['audit', 'documents', 'events', 'facts', 'governance', 'memories'],
  },
};

/**
 * Who may open a writing transaction. Use cases change data with `engine/audit/mutate.ts`, which records the change, or
 * `engine/audit/maintain.ts`, for derived data and bookkeeping.
 * @type {Record<string, string[]>}
 */
export const writers = {
  write: ['engine/audit/', 'outer/'],
  administer: ['engine/audit/', 'outer/', 'composition/master-key.ts'],
  erase: ['engine/governance/', 'outer/'],
  restore: ['engine/archive/', 'outer/'],
};
