/** Lets work on the same thing run one after another, and work on different things side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    const over: Promise<void> = turn.then(
      () => this.#leave(thing, over),
      () => this.#leave(thing, over),
    );
    this.#last.set(thing, over);
    return turn;
  }

  #leave(thing: string, turn: Promise<void>): void {
    if (this.#last.get(thing) === turn) this.#last.delete(thing);
  }
}
