export { type MemhallHooksOptions, memhallHooks } from './claude-agent/memhall-hooks.js';
export { memhallServer } from './claude-agent/memhall-server.js';
export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
