import type { RequestId } from './json-rpc-body.js';

/**
 * Requests in progress, so that a client can cancel them. Request ids are unique only within a client, so the key also
 * contains the session and the sender. A client cannot cancel the requests of another.
 */
export class RunningRequests {
  readonly #cancels = new Map<string, () => void>();

  /** Adds a request and returns a function that removes it. A request without an id cannot be cancelled. */
  add(sender: readonly string[], id: RequestId | undefined, cancel: () => void): () => void {
    const key = JSON.stringify([...sender, id]);
    if (id !== undefined) this.#cancels.set(key, cancel);
    return () => {
      if (this.#cancels.get(key) === cancel) this.#cancels.delete(key);
    };
  }

  cancel(sender: readonly string[], id: RequestId | undefined): void {
    this.#cancels.get(JSON.stringify([...sender, id]))?.();
  }
}
