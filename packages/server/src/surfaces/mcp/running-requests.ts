import type { RequestId } from './json-rpc-body.js';

/**
 * Requests that are being answered, so that a client can cancel them. Clients number their requests each for itself, so a request
 * is known by its session as well, and by who sent it: nobody cancels another's.
 */
export class RunningRequests {
  readonly #cancels = new Map<string, () => void>();

  /** Ends when the returned function is called. Without an id there is nothing to cancel. */
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
