import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Adapter, Found, MemorySystem, NewText, Owner, Question, Statement } from '../adapter.js';
import type { HostMessage, HostStart } from './host-protocol.js';

interface HostOptions {
  start: HostStart;
  adapter: Adapter;
  /** The caller's environment. Only what the adapter names is passed on. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Longest time for one call. */
  timeoutMs: number;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

const lastOutput = 4000;

/** A system in a process of its own. Every call rejects once the process has ended. */
export class HostSession {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  readonly #timeoutMs: number;
  #next = 0;
  #output = '';
  #hasEnded = false;

  private constructor({ start, adapter, environment, timeoutMs }: HostOptions) {
    this.#timeoutMs = timeoutMs;
    const passed = ['PATH', ...(adapter.passedOn ?? [])].flatMap((name) =>
      environment[name] === undefined ? [] : [[name, environment[name]]],
    );
    this.#child = fork(fileURLToPath(new URL('./host.js', compiled(import.meta.url))), [JSON.stringify(start)], {
      detached: true,
      cwd: start.directory,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...Object.fromEntries(passed), HOME: start.directory, TMPDIR: start.directory, ...adapter.environment },
    });
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-lastOutput);
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
    this.#exited = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.#hasEnded = true;
        for (const { reject } of this.#waiting.values()) reject(new Error('the process of the system ended'));
        this.#waiting.clear();
        resolve();
      });
    });
    this.#child.on('error', () => undefined);
  }

  /** Resolves when the system is open. */
  static async start(options: HostOptions): Promise<HostSession> {
    const session = new HostSession(options);
    await session.#opened(options.adapter.title);
    return session;
  }

  #opened(title: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        void this.kill();
        reject(new Error(`${title} does not open: ${reason}`));
      };
      const timer = setTimeout(() => fail(`not within ${this.#timeoutMs} ms`), this.#timeoutMs);
      this.#child.once('exit', () => {
        clearTimeout(timer);
        fail(`its process ended. ${this.#output.trim()}`);
      });
      this.#child.on('message', (message: HostMessage) => {
        if ('ready' in message) {
          clearTimeout(timer);
          resolve();
        } else if ('failed' in message) {
          clearTimeout(timer);
          fail(message.failed);
        } else this.#answer(message);
      });
    });
  }

  #answer(message: { id: number; result?: unknown } | { id: number; error: string }): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve('result' in message ? message.result : undefined);
  }

  #call(method: keyof MemorySystem, ...parameters: unknown[]): Promise<unknown> {
    if (this.#hasEnded || !this.#child.connected) return Promise.reject(new Error('the process of the system ended'));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method} did not answer within ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          then(value);
        };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#child.send({ id, method, parameters }, (error) => {
        if (error !== null) this.#answer({ id, error: 'the process of the system ended' });
      });
    });
  }

  remember(owner: Owner, text: NewText): Promise<string> {
    return this.#call('remember', owner, text) as Promise<string>;
  }

  recall(owner: Owner, query: string, limit: number): Promise<Found[]> {
    return this.#call('recall', owner, query, limit) as Promise<Found[]>;
  }

  list(owner: Owner): Promise<Found[]> {
    return this.#call('list', owner) as Promise<Found[]>;
  }

  read(owner: Owner, id: string): Promise<string | null> {
    return this.#call('read', owner, id) as Promise<string | null>;
  }

  async append(owner: Owner, id: string, line: string): Promise<void> {
    await this.#call('append', owner, id, line);
  }

  async replace(owner: Owner, id: string, text: string): Promise<void> {
    await this.#call('replace', owner, id, text);
  }

  async forget(owner: Owner, id: string): Promise<void> {
    await this.#call('forget', owner, id);
  }

  async forgetUser(owner: Owner): Promise<void> {
    await this.#call('forgetUser', owner);
  }

  async compact(): Promise<void> {
    await this.#call('compact');
  }

  async state(owner: Owner, statement: Statement): Promise<void> {
    await this.#call('state', owner, statement);
  }

  ask(owner: Owner, question: Question): Promise<string[]> {
    return this.#call('ask', owner, question) as Promise<string[]>;
  }

  async settle(): Promise<void> {
    await this.#call('settle');
  }

  /** Ends the system orderly, and then its process. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#call('close').catch(() => undefined);
    await this.kill();
  }

  /** Ends the process and everything that it started with SIGKILL. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
    await this.#exited;
  }
}

/** Tests run the sources; a process needs what the compiler made of them. */
function compiled(url: string): string {
  return url.replace('/packages/benchmark/src/', '/packages/benchmark/dist/').replace(/\.ts$/, '.js');
}
