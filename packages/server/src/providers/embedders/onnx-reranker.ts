import { basename } from 'node:path';
import type { Reranker, RerankerDescription } from '../../ports/reranker.js';
import { prepareText } from './prepare-text.js';
import { readDirectoryReranker } from './reranker-directory.js';
import { closedError, RestartingThread } from './restarting-thread.js';

/** Leaves most of the model's window to the passage. */
const MAX_QUERY_CHARACTERS = 1000;

/** Runs a cross-encoder on its own thread, one pair at a time, so that a call that is given up ends after the current pair. */
export class OnnxReranker implements Reranker {
  readonly #model: string;
  readonly #loading: Promise<RestartingThread>;
  #thread: RestartingThread | undefined;
  #failure: unknown;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Use `openOnnxReranker`. */
  constructor(model: string, loading: Promise<RestartingThread>) {
    this.#model = model;
    this.#loading = loading;
    loading.then(
      (thread) => {
        this.#thread = thread;
      },
      (error: unknown) => {
        this.#failure = error;
      },
    );
  }

  get isReady(): boolean {
    return this.#thread !== undefined;
  }

  rank(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]> {
    const ranking = this.#turn.then(() => this.#rankNow(query, passages, signal));
    this.#turn = ranking.catch(() => undefined);
    return ranking;
  }

  describe(): RerankerDescription {
    const about = { kind: 'onnx', model: this.#model };
    if (this.#thread !== undefined) return { ...about, runtime: this.#thread.about.runtime, status: 'ready' };
    if (this.#failure === undefined) return { ...about, runtime: 'none yet', status: 'starting' };
    const note = this.#failure instanceof Error ? this.#failure.message : String(this.#failure);
    return { ...about, runtime: 'none yet', status: 'failed', note };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#loading.catch(() => undefined);
    await thread?.close();
  }

  async #rankNow(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]> {
    const thread = await this.#loading;
    const question = prepareText(query.slice(0, MAX_QUERY_CHARACTERS));
    const relevances: number[] = [];
    for (const passage of passages) {
      signal.throwIfAborted();
      if (this.#isClosed) throw closedError('reranker');
      await thread.restartIfLost();
      const [relevance = 0] = await thread.run(question, prepareText(passage));
      relevances.push(relevance);
    }
    return relevances;
  }
}

/** Resolves before the model is loaded. `loaded` settles when it is, or when that has failed. */
export async function openOnnxReranker(
  directory: string,
): Promise<{ reranker: OnnxReranker; loaded: Promise<unknown> }> {
  const model = await readDirectoryReranker(directory);
  const loading = RestartingThread.start({ reranker: model, threads: 1 });
  return { reranker: new OnnxReranker(basename(model.directory), loading), loaded: loading };
}
