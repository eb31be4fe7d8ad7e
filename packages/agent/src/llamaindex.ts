export { openMemory } from './llamaindex/open-memory.js';
export { type RecallBlockOptions, recallBlock } from './llamaindex/recall-block.js';
export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
export { type MemorySearchOptions, memorySearch } from './tools/memory-search.js';
