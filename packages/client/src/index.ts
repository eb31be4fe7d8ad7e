export type { UserOptions, WriteOptions } from './client-area.js';
export type {
  EpisodicEntries,
  EpisodicEntry,
  Operations,
  ProceduralEntries,
  ProceduralEntry,
  SemanticEntries,
  SemanticEntry,
  WorkingCleared,
  WorkingEntry,
  WorkingList,
} from './generated/operations.js';
export type { Interaction, Knowledge, KnowledgeQuery, Skill } from './knowledge-client.js';
export { MemhallError } from './memhall-error.js';
export { MemoryClient } from './memory-client.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type { PlanState, SetPlanStateOptions } from './working-memory-client.js';
