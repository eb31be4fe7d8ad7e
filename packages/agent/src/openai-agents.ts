export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
export { MemhallSession, type MemhallSessionOptions } from './openai-agents/memhall-session.js';
export { type RecallFilterOptions, recallFilter } from './openai-agents/recall-filter.js';
export { type MemorySearchOptions, memorySearch } from './tools/memory-search.js';
