const maxKept = 50_000;

/**
 * Remembers which states of tier documents have passed the scanner and are in the search index. A state is identified by its
 * etag, which never repeats. Only held in memory, since another process may scan by other rules.
 */
export class ScreenedTiers {
  /** Oldest first. */
  readonly #etags = new Set<string>();

  has(etag: string): boolean {
    return this.#etags.has(etag);
  }

  add(etag: string): void {
    this.#etags.add(etag);
    if (this.#etags.size <= maxKept) return;
    for (const oldest of this.#etags) {
      this.#etags.delete(oldest);
      return;
    }
  }
}
