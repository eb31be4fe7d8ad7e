/** Keeps the best few of all rows or, with `pinnedFirst`, of the pinned rows and then of the others. */
export class BestRows {
  readonly #limit: number;
  readonly #others: Best;
  readonly #pinned: Best;

  /** `arrivalOf` decides between rows that match equally well. */
  constructor(limit: number, pinnedFirst: boolean, arrivalOf: (row: number) => number) {
    this.#limit = limit;
    this.#others = new Best(limit, arrivalOf);
    this.#pinned = pinnedFirst ? new Best(limit, arrivalOf) : this.#others;
  }

  offer(raw: number, row: number, isPinned: boolean): void {
    (isPinned ? this.#pinned : this.#others).offer(raw, row);
  }

  /** The best rows with their scores; only without `pinnedFirst`. */
  scored(): readonly { raw: number; row: number }[] {
    return this.#others.entries();
  }

  rows(): number[] {
    const others = this.#others.rows();
    return this.#pinned === this.#others ? others : [...this.#pinned.rows(), ...others].slice(0, this.#limit);
  }
}

/** Keeps the greatest few; among equals, the one that arrived later. */
class Best {
  readonly #limit: number;
  readonly #arrivalOf: (row: number) => number;
  #entries: { raw: number; row: number }[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(limit: number, arrivalOf: (row: number) => number) {
    this.#limit = limit;
    this.#arrivalOf = arrivalOf;
  }

  offer(raw: number, row: number): void {
    if (raw < this.#least) return;
    this.#entries.push({ raw, row });
    if (this.#entries.length >= 2 * this.#limit + 64) this.#prune();
  }

  rows(): number[] {
    return this.entries().map(({ row }) => row);
  }

  entries(): readonly { raw: number; row: number }[] {
    this.#prune();
    return this.#entries;
  }

  #prune(): void {
    this.#entries.sort((a, b) => b.raw - a.raw || this.#arrivalOf(b.row) - this.#arrivalOf(a.row));
    this.#entries.length = Math.min(this.#entries.length, this.#limit);
    if (this.#entries.length === this.#limit) this.#least = this.#entries.at(-1)?.raw ?? this.#least;
  }
}
