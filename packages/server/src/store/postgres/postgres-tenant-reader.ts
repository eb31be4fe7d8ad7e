import type { Tables, TenantReader } from '../../ports/store.js';
import type { Database, TransactionScope } from '../database.js';
import type { HeldRead } from '../held-read.js';
import type { Statements } from '../statements.js';

export class PostgresTenantReader implements TenantReader {
  readonly holdsFreely: boolean;
  readonly #database: Database;
  readonly #scope: TransactionScope;
  readonly #toTables: (statements: Statements) => Tables;
  #held: HeldRead | undefined;

  constructor(database: Database, scope: TransactionScope, toTables: (statements: Statements) => Tables) {
    this.holdsFreely = database.kind === 'postgres';
    this.#database = database;
    this.#scope = scope;
    this.#toTables = toTables;
  }

  read<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const onStatements = (statements: Statements) => work(this.#toTables(statements));
    return this.#held === undefined ? this.#database.read(this.#scope, onStatements) : this.#held.run(onStatements);
  }

  async hold(): Promise<void> {
    this.#held ??= await this.#database.hold(this.#scope);
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.end();
  }
}
