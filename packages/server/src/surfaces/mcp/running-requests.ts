type RequestId = string | number;

/**
 * Requests that are being answered, so that a client can cancel them. Clients number their requests each for itself, so a request
 * is known by its session as well, and by who sent it: nobody cancels another's.
 */
export class RunningRequests {
  readonly #cancels = new Map<string, () => void>();

  /** Ends when the returned function is called. Without ids there is nothing to cancel. */
  add(sender: readonly string[], ids: readonly RequestId[], cancel: () => void): () => void {
    const keys = ids.map((id) => keyOf(sender, id));
    for (const key of keys) this.#cancels.set(key, cancel);
    return () => {
      for (const key of keys) if (this.#cancels.get(key) === cancel) this.#cancels.delete(key);
    };
  }

  cancel(sender: readonly string[], id: RequestId): void {
    this.#cancels.get(keyOf(sender, id))?.();
  }
}

function keyOf(sender: readonly string[], id: RequestId): string {
  return JSON.stringify([...sender, id]);
}
