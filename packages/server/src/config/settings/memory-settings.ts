import { integer, optionalText, type Setting } from '../setting.js';

const maxAgeHours = 100 * 366 * 24;

export const memorySettings = {
  recallCacheMegabytes: integer({
    env: 'MEMHALL_RECALL_CACHE_MB',
    default: 0,
    min: 0,
    max: 1_000_000,
    description:
      'Size in MiB of the cache for the search data of recently searched users, about 1.8 KB per memory. 0 uses an eighth of the memory available to the process, at least 128 and at most 2048.',
  }),
  recallResidentMemories: integer({
    env: 'MEMHALL_RECALL_RESIDENT_MEMORIES',
    default: 0,
    min: 0,
    max: 1_000_000_000,
    description:
      'Number of memories above which a user, a namespace or the public part of a tenant is searched in PostgreSQL instead of in memory. 0 uses 150,000, or what fits into the cache if that is less. Ignored with the embedded database, which is always searched in memory.',
  }),
  starterDirectory: optionalText({
    env: 'MEMHALL_STARTER',
    pathAfter: '',
    defaultText: 'the directory shipped with Memhall',
    description:
      'Directory of `profiles/*.json` and `schemas/*.json` that every tenant starts with. A tenant can register its own to replace them.',
  }),
  finishedPlanAgeHours: integer({
    env: 'MEMHALL_FINISHED_PLAN_AGE_HOURS',
    default: 7 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'Hours that the working memory of a finished plan is kept. 0 keeps it until it is deleted.',
  }),
  taskContextAgeHours: integer({
    env: 'MEMHALL_TASK_CONTEXT_AGE_HOURS',
    default: 30 * 24,
    min: 0,
    max: maxAgeHours,
    description: 'Hours that a task context is kept after its last change. 0 keeps it until it is deleted.',
  }),
} satisfies Record<string, Setting<unknown>>;
