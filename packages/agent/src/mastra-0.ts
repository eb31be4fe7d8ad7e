export type { MastraStorageOptions } from './mastra/mastra-records.js';
export { MemhallMastraStorage } from './mastra/memhall-mastra-storage.js';
export { type RecalledContext, recallContext } from './mastra/recall-context.js';
export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
export { type MemorySearchOptions, memorySearch } from './tools/memory-search.js';
