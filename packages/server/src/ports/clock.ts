/** The engine's source of time. Its finest visible resolution is one millisecond. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
