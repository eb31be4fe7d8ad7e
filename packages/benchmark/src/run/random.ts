const syllables =
  'ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi vo za ze zi zo'.split(
    ' ',
  );

/** Everything that a case draws comes from its seed, so that a case can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.number() * (to - from + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.number() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  /** A made-up word of seven syllables that occurs nowhere else: some 10^12 of them. It does not look like a secret. */
  canary(): string {
    return Array.from({ length: 7 }, () => this.pick(syllables)).join('');
  }
}
