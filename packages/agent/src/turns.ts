/** Serializes work with the same key. Work with different keys runs concurrently. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const over: Promise<void> = turn.then(
      () => this.#leave(key, over),
      () => this.#leave(key, over),
    );
    this.#last.set(key, over);
    return turn;
  }

  #leave(key: string, turn: Promise<void>): void {
    if (this.#last.get(key) === turn) this.#last.delete(key);
  }
}
