export type { EachOptions, PageOptions, UserOptions, WriteOptions } from './client-area.js';
export type {
  CorrelationsChanged,
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
  TaskContextList,
  TaskContextStored,
  TaskContextSummary,
  TaskLease,
  WorkingCleared,
  WorkingEntry,
  WorkingList,
} from './generated/operations.js';
export type {
  ExternalIdOptions,
  Interaction,
  InteractionsOptions,
  Knowledge,
  KnowledgeFilter,
  KnowledgeQuery,
  PrivateKnowledgeFilter,
  Skill,
  SkillFilter,
  SkillsOfAgent,
} from './knowledge-client.js';
export { MemhallError } from './memhall-error.js';
export { MemoryClient } from './memory-client.js';
export { PlanContext, type PlanFields } from './plan-context.js';
export type {
  CorrelationChange,
  ListPlansOptions,
  NewPlan,
  NewSession,
  PlanChange,
  PlanStatus,
  SessionChange,
} from './state-client.js';
export type { ListTaskContextsOptions, NewTaskContext, SubTaskChange, TaskContextChange } from './task-client.js';
export { TaskContext } from './task-context.js';
export type { TaskFields, TaskOptions, TaskResponse, TaskStep } from './task-fields.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type { PlanState, SetPlanStateOptions } from './working-memory-client.js';
