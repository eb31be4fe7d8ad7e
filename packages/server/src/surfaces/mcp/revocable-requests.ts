import type { Identity } from '../../http/identity.js';

/** Requests whose response is still open, so that they end when their token is revoked. */
export class RevocableRequests {
  readonly #open = new Set<{ identity: Identity; end: () => void }>();

  /** Adds a request and returns a function that removes it. */
  add(identity: Identity, end: () => void): () => void {
    const request = { identity, end };
    this.#open.add(request);
    return () => this.#open.delete(request);
  }

  endWhere(isRevoked: (identity: Identity) => boolean): void {
    for (const request of this.#open) {
      if (!isRevoked(request.identity)) continue;
      this.#open.delete(request);
      request.end();
    }
  }
}
