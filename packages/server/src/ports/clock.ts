/** Where the engine takes the time from. Milliseconds are the finest step it may show. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
