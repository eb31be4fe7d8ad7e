export type { UserOptions, WriteOptions } from './client-area.js';
export type {
  EpisodicEntries,
  EpisodicEntry,
  Operations,
  Plan,
  PlanList,
  PlanSummary,
  ProceduralEntries,
  ProceduralEntry,
  SemanticEntries,
  SemanticEntry,
  Session,
  SessionList,
  SessionPage,
  SubTasksChanged,
  TaskContextEntry,
  TaskContextStored,
  WorkingCleared,
  WorkingEntry,
  WorkingList,
} from './generated/operations.js';
export type { Interaction, Knowledge, KnowledgeQuery, Skill } from './knowledge-client.js';
export { MemhallError } from './memhall-error.js';
export { MemoryClient } from './memory-client.js';
export { PlanContext, type PlanFields } from './plan-context.js';
export type {
  ListPlansOptions,
  NewPlan,
  NewSession,
  NewTaskContext,
  PageOptions,
  PlanChange,
  PlanStatus,
  SessionChange,
  SubTaskChange,
  TaskContextChange,
} from './state-client.js';
export { TaskContext, type TaskFields, type TaskResponse } from './task-context.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type { PlanState, SetPlanStateOptions } from './working-memory-client.js';
