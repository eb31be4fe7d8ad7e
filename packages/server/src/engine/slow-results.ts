import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@memhall/core';

/** How often a result may be found in vain, because what it depends on has changed meanwhile. */
const maxConflicts = 5;

/** Ends a try of a transaction that needs a result which is not known yet. */
class ResultMissing extends Error {
  constructor(readonly find: () => Promise<void>) {
    super('a result that takes long is needed first');
  }
}

/**
 * Results that take long to find and depend on what a transaction has read. They are found between two tries of the transaction, so
 * that nobody waits for it meanwhile: on the embedded database that would be everyone.
 */
export class SlowResults {
  readonly #known: { name: string; input: unknown; result: unknown; isUsed: boolean }[] = [];

  /**
   * Returns the result for an input. If it is not known, throws what ends this try of the transaction: do not catch it. Input must not
   * contain what is different in the next try, such as the time.
   */
  get<I, O>(name: string, input: I, find: (input: I) => Promise<O>): O {
    const known = this.find<O>(name, input);
    if (known !== undefined) return known.result;
    throw new ResultMissing(async () => {
      this.#known.push({ name, input, result: await find(input), isUsed: false });
    });
  }

  /** The number of results that no try has used. */
  get unused(): number {
    return this.#known.filter(({ isUsed }) => !isUsed).length;
  }

  /** Returns the result for an input if it is known. */
  find<O>(name: string, input: unknown): { result: O } | undefined {
    const known = this.#known.find((one) => one.name === name && isDeepStrictEqual(one.input, input));
    if (known === undefined) return undefined;
    known.isUsed = true;
    return known as { result: O };
  }
}

/**
 * Runs a transaction until all results that it needs are known. Throws UNAVAILABLE if others keep changing what they depend on.
 * @param transact must have no effect unless its transaction commits
 */
export async function withSlowResults<T>(transact: (slow: SlowResults) => Promise<T>): Promise<T> {
  const slow = new SlowResults();
  while (slow.unused < maxConflicts) {
    try {
      return await transact(slow);
    } catch (error) {
      if (!(error instanceof ResultMissing)) throw error;
      await error.find();
    }
  }
  throw new Problem('UNAVAILABLE', 'The content is being changed by others while it is checked. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}
