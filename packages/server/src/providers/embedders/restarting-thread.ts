import { EmbedderError } from '../../ports/embedder-error.js';
import type { EngineOptions } from './load-engine.js';
import { ModelThread } from './model-thread.js';

/** The thread of a model, which is started again if it is lost. */
export class RestartingThread {
  readonly #options: EngineOptions;
  #thread: ModelThread;
  #isClosed = false;

  constructor(options: EngineOptions, thread: ModelThread) {
    this.#options = options;
    this.#thread = thread;
  }

  static async start(options: EngineOptions): Promise<RestartingThread> {
    return new RestartingThread(options, await ModelThread.start(options));
  }

  get about(): ModelThread['about'] {
    return this.#thread.about;
  }

  get isAlive(): boolean {
    return this.#thread.isAlive;
  }

  /** Call before `run`. */
  async restartIfLost(): Promise<void> {
    if (this.#thread.isAlive) return;
    const thread = await ModelThread.start(this.#options);
    if (this.#isClosed) {
      await thread.stop();
      throw closedError();
    }
    this.#thread = thread;
  }

  /** Only one call at a time. */
  run(text: string, passage?: string): Promise<Float32Array> {
    return this.#thread.run(text, passage);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }
}

export function closedError(what = 'embedder'): EmbedderError {
  return new EmbedderError('closed', `The ${what} is closed`);
}
