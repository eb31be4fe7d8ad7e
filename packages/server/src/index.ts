export { Problem, type ProblemCode } from '@memhall/core';
export { version } from './composition/version.js';
export { readConfig } from './config/read-config.js';
export type { Config } from './config/settings.js';
export {
  type Fact,
  type FactDetails,
  type FactOptions,
  type FactStatus,
  type FactTimes,
  type GivenFact,
  type Identity,
  type Memhall,
  type MemhallOptions,
  type Memory,
  type MemoryChange,
  type MemoryFilter,
  type MemoryScope,
  type NewMemory,
  openMemhall,
  type Page,
  type PutFact,
  type RecallOptions,
  type RecollectedSession,
  type Recollection,
  type Remembered,
  type RememberInput,
  type SeenFact,
  type UserFacts,
  type UserMemory,
  type Why,
  type WhyOptions,
} from './open-memhall.js';
export { type RunningServer, startServer } from './running-server.js';
