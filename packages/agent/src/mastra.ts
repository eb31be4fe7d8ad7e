export type { MastraStorageOptions } from './mastra/mastra-records.js';
export { MemhallMastraMemory } from './mastra/memhall-mastra-memory.js';
export { type RecalledContext, recallContext } from './mastra/recall-context.js';
export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
export { type MemorySearchOptions, memorySearch } from './tools/memory-search.js';
