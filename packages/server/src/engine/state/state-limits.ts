/** How many ids a task context or a plan may wait for at once. */
export const maxAwaitedIds = 1000;
