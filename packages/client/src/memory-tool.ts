export { MemhallError } from './memhall-error.js';
export type { MemoryCommand, MemoryToolOptions, MemoryToolResult } from './memory-tool-client.js';
export { MemoryToolClient } from './memory-tool-client.js';
export type { ClientOptions } from './transport.js';
