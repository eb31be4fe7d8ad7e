import { MemhallError, MemoryClient, TaskContext } from '../../src/index.js';

type Message =
  | { event: 'requested'; taskId: string; topics: string[] }
  | { event: 'completed'; subTaskId: string; topic: string };

interface BusOptions {
  baseUrl: string;
  token: string;
  /** The first worker dies after this many requests to the server and published messages. */
  steps: number;
  /** When the message of a worker that died is delivered again. */
  redelivery: 'at once' | 'after all others';
  /** Called when a message goes back to the queue because another worker has the lease. */
  whenHeld: () => void;
}

/**
 * A message queue with workers that research topics. A message of a worker that died is delivered again, to a new worker
 * that does not die. Searches are answered at once.
 */
export class ResearchBus {
  readonly responses: { taskId: string; findings: unknown }[] = [];
  died = false;
  /** The step after which the worker died. */
  lastStep = '';
  readonly #queue: Message[] = [];
  readonly #options: BusOptions;
  #stepsLeft: number;
  #memory: MemoryClient;

  constructor(options: BusOptions) {
    this.#options = options;
    this.#stepsLeft = options.steps;
    this.#memory = this.#startWorker();
  }

  /** Delivers the request and everything that follows from it. */
  async run(request: { taskId: string; topics: string[] }): Promise<void> {
    this.#queue.push({ event: 'requested', ...request });
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      try {
        await (message.event === 'requested' ? this.#onRequest(message) : this.#onResult(message));
      } catch (error) {
        const isHeld = error instanceof MemhallError && error.code === 'LEASE_HELD';
        if (!isHeld && this.#stepsLeft > 0) throw error;
        if (this.#options.redelivery === 'at once') this.#queue.unshift(message);
        else this.#queue.push(message);
        if (isHeld) this.#options.whenHeld();
        else this.#replaceWorker();
      }
    }
  }

  async #onRequest({ taskId, topics }: { taskId: string; topics: string[] }): Promise<void> {
    const parts = topics.map((topic) => ({ topic, id: `${taskId}:${topic}` }));
    const send = (subTaskId: string, { topic }: { topic: string }) => {
      this.#checkAlive();
      this.#queue.push({ event: 'completed', subTaskId, topic });
      this.#step('search');
    };
    const task = await TaskContext.begin(this.#memory, { taskId, eventType: 'requested' });
    if (task?.step === 'delegate') await task.delegateAll(parts, send, ({ id }) => id);
    else if (task?.step === 'wait') await task.resendAll(parts, send, ({ id }) => id);
    else if (task?.step === 'complete') await this.#complete(task);
  }

  async #onResult({ subTaskId, topic }: { subTaskId: string; topic: string }): Promise<void> {
    const task = await TaskContext.restoreBySubtask(this.#memory, subTaskId);
    if (task === null) return;
    await task.updateState((state) => ({ ...state, [topic]: `about ${topic}` }));
    if (await task.finishSubTask(subTaskId)) await this.#complete(task);
  }

  async #complete(task: TaskContext): Promise<void> {
    await task.refresh();
    await task.complete(task.state, ({ taskId, result }) => {
      this.#checkAlive();
      this.responses.push({ taskId, findings: result });
      this.#step('response');
    });
  }

  #startWorker(): MemoryClient {
    const { baseUrl, token } = this.#options;
    return new MemoryClient({
      baseUrl,
      token,
      retries: 0,
      fetch: async (url, init) => {
        this.#checkAlive();
        const response = await fetch(url, init);
        this.#step('request');
        return response;
      },
    });
  }

  #replaceWorker(): void {
    this.died = true;
    this.#stepsLeft = Number.POSITIVE_INFINITY;
    this.#memory = this.#startWorker();
  }

  #step(name: string): void {
    this.#stepsLeft -= 1;
    this.lastStep = this.#stepsLeft === 0 ? name : this.lastStep;
    this.#checkAlive();
  }

  #checkAlive(): void {
    if (this.#stepsLeft <= 0) throw new Error('the worker is dead');
  }
}
