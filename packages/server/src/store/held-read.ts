import type { Statements } from './statements.js';
import { toProblem } from './to-problem.js';

/**
 * A read transaction that stays open between uses. It must be ended; otherwise its connection is never returned to the
 * pool.
 */
export class HeldRead {
  readonly #open: () => Statements;
  readonly #release: (error?: unknown) => void;

  constructor(open: () => Statements, release: (error?: unknown) => void) {
    this.#open = open;
    this.#release = release;
  }

  async run<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    const statements = this.#open();
    try {
      const result = await work(statements);
      await statements.flushed();
      return result;
    } catch (error) {
      throw toProblem(error);
    }
  }

  async end(): Promise<void> {
    try {
      await this.run((statements) => statements.query('ROLLBACK'));
      this.#release();
    } catch (error) {
      this.#release(error);
    }
  }
}
