import { uuidv7 } from '@memhall/core';
import { type Answer, type Call, send } from '../../support/server.js';
import type { HistoryFile } from '../history/history-file.js';
import type { Operation } from '../history/operation.js';

/** Somebody whose memory the load uses. Nobody else may see any of it. */
export interface Owner {
  tenant: string;
  user: string;
  token: string;
  userKey: string;
}

/** One request as the history wants it: what is known of its effect, and between which times. */
export interface Told extends Pick<Operation, 'id' | 'client' | 'outcome' | 'startedMs' | 'endedMs'> {
  status: number;
  body: Answer['body'];
  headers: Headers;
}

/** Answers that a correct caller can get. Others are faults, whatever is broken. */
const expected = [404, 409, 412];
const longestMs = 10_000;

/** A caller that does one thing after the other for one owner, and records what it was told. */
export class LoadClient {
  /** Answers that nobody should get. */
  readonly unexpected: string[] = [];
  readonly #history: HistoryFile;
  readonly #urls: readonly string[];
  #calls = 0;

  /** Goes to all the URLs in turn. */
  constructor(
    readonly owner: Owner,
    readonly name: string,
    { urls, history }: { urls: readonly string[]; history: HistoryFile },
  ) {
    this.#urls = urls;
    this.#history = history;
  }

  get ownerName(): string {
    return `${this.owner.tenant}/${this.owner.user}`;
  }

  async call(call: Call, id = uuidv7()): Promise<Told> {
    const startedMs = nowMs();
    const headers = { ...call.headers, 'x-request-id': id };
    const common = () => ({ id, client: this.name, startedMs, endedMs: nowMs() });
    try {
      const signal = AbortSignal.timeout(longestMs);
      const url = this.#urls[this.#calls++ % this.#urls.length] ?? '';
      const answer = await send(url, { token: this.owner.token, ...call, headers, signal });
      const { status } = answer;
      const outcome = status >= 500 || isToolError(answer) ? 'unknown' : status < 300 ? 'done' : 'refused';
      if (outcome === 'refused' && !expected.includes(status)) {
        this.unexpected.push(`${call.method ?? 'GET'} ${call.path}: ${status} ${JSON.stringify(answer.body)}`);
      }
      return { ...common(), ...answer, outcome };
    } catch {
      return { ...common(), outcome: 'unknown', status: 0, body: undefined, headers: new Headers() };
    }
  }

  record(operation: Operation): void {
    this.#history.record(operation);
  }

  /** Records that a write leaves a record in the audit log of the owner. */
  recordAudit(told: Told): void {
    this.record({
      ...occurrence(told),
      object: `${this.ownerName} audit`,
      model: 'list',
      action: 'append',
      entry: told.id,
    });
  }
}

/** A tool of MCP that fails does so with status 200. */
function isToolError({ body }: Answer): boolean {
  return body?.jsonrpc !== undefined && (body.error !== undefined || body.result?.isError === true);
}

export function occurrence({ id, client, outcome, startedMs, endedMs }: Told) {
  return { id, client, outcome, startedMs, endedMs };
}

/** Does not go back when somebody sets the clock. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
