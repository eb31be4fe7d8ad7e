import { Client } from 'pg';
import { type Catalog, faultsOf } from './statement-rules.js';

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** A statement of a transaction in a scope, and what is wrong with it. */
interface Fault {
  text: string;
  faults: string[];
}

/** Begins statements that only tests send, in whatever form. They are not checked, and a scope that they enter is not followed. */
export const forTests = '/* test */';

/** Follows one connection: what it sends within a transaction, after the transaction was bound to a tenant. */
class Connection {
  tenant: string | undefined;

  /** Returns whether the statement is to be checked. */
  follow({ text, values }: Sent): boolean {
    if (/^\s*(BEGIN|COMMIT|ROLLBACK)\b/i.test(text)) {
      this.tenant = undefined;
      return false;
    }
    if (text.startsWith(forTests)) return false;
    const place = /set_config\('app\.tenant_id', \$(\d+)/.exec(text);
    if (place !== null) this.tenant = String(values[Number(place[1]) - 1]);
    const set = /^SET LOCAL app\.tenant_id = '(.*)'$/s.exec(text);
    if (set !== null) this.tenant = set[1];
    return this.tenant !== undefined && !/^SET LOCAL \S+ = /.test(text);
  }
}

/**
 * Checks every statement that Memhall sends for requests, jobs and commands of this process, as it is sent. Statements of migrations and of
 * the queue, and those that a test sends itself, are no part of a scope.
 */
export class StatementRecorder {
  readonly #catalog: Catalog;
  readonly #connections = new WeakMap<object, Connection>();
  readonly #known = new Map<string, string[]>();
  readonly #isDistributed: boolean;
  #undo: () => void = () => undefined;

  constructor(catalog: Catalog, { isDistributed }: { isDistributed: boolean }) {
    this.#catalog = catalog;
    this.#isDistributed = isDistributed;
  }

  get statements(): number {
    return this.#known.size;
  }

  start(): void {
    const prototype = Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
    const { query } = prototype;
    const see = (client: object, given: unknown) => this.#see(client, toSent(given));
    prototype.query = function (this: object, ...given: unknown[]) {
      see(this, given[0]);
      return query.apply(this, given);
    };
    this.#undo = () => {
      prototype.query = query;
    };
  }

  /** Stops, and returns the statements that a distributed database would refuse. */
  stop(): Fault[] {
    this.#undo();
    return [...this.#known].flatMap(([text, faults]) => (faults.length === 0 ? [] : [{ text, faults }]));
  }

  #see(client: object, sent: Sent | undefined): void {
    if (sent === undefined) return;
    const connection = this.#connections.get(client) ?? new Connection();
    this.#connections.set(client, connection);
    if (!connection.follow(sent)) return;
    const isAcrossTenants = connection.tenant === '';
    const key = isAcrossTenants ? `/* all tenants */ ${sent.text}` : sent.text;
    if (this.#known.has(key)) return;
    this.#known.set(key, faultsOf(sent.text, this.#catalog, { isAcrossTenants, isDistributed: this.#isDistributed }));
  }
}

function toSent(given: unknown): Sent | undefined {
  if (typeof given === 'string') return { text: given, values: [] };
  const { text, values = [] } = given as Partial<Sent>;
  return text === undefined ? undefined : { text, values };
}
