export type {
  AgentMemoryClientOptions,
  AgentMemoryKind,
  AgentMemorySearch,
  CommittedMemory,
  FoundMemories,
  Namespaces,
  NewAgentMemory,
  NewSummary,
} from './agent-memory-client.js';
export { AgentMemoryClient } from './agent-memory-client.js';
export { MemhallError } from './memhall-error.js';
export type { CallOptions, ClientOptions } from './transport.js';
