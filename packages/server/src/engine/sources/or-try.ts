import type { Mutation } from '../audit/audit-record.js';

interface Done<T> {
  result: T;
  mutations: readonly Mutation[];
}

/** Ends a transaction that was only tried. */
class Tried extends Error {
  constructor(readonly result: unknown) {
    super('only tried');
  }
}

/**
 * Does work in a transaction or, for a trial, rolls the transaction back at the end. So a trial counts exactly what would happen.
 * `work` must pass what it has done through `finish`.
 */
export async function orTry<T>(isTrial: boolean, work: (finish: (done: Done<T>) => Done<T>) => Promise<T>): Promise<T> {
  try {
    return await work((done) => {
      if (isTrial) throw new Tried(done.result);
      return done;
    });
  } catch (error) {
    if (error instanceof Tried) return error.result as T;
    throw error;
  }
}
