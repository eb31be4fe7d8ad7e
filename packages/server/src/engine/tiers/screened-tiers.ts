const maxKept = 50_000;

/**
 * Which states of tiers' documents the scanner has let through, and the search index shows. A state is known by its etag, which
 * never comes back; the rules are those of this process.
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
