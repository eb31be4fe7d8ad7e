/** The largest number of ids that a task context or a plan can wait for. */
export const maxAwaitedIds = 1000;
