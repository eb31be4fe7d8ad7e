/** Another way to read a text: what it says once decoded or cleaned. */
export interface Reading {
  text: string;
  /** Returns where the character at `place` of this reading comes from in the text that was read. */
  offsetOf: (place: number) => number;
}

/** Assembles a reading from pieces of a text and what replaces them. */
class ReadingBuilder {
  readonly #pieces: string[] = [];
  /** For each piece, its place in the reading and its offset in the text. */
  readonly #places: number[] = [];
  readonly #offsets: number[] = [];
  readonly #isCopy: boolean[] = [];
  #length = 0;

  /** Adds a piece that is the same in the text. */
  copy(piece: string, offset: number): void {
    this.#add(piece, offset, true);
  }

  /** Adds a piece that stands for something else at `offset`. */
  replace(piece: string, offset: number): void {
    this.#add(piece, offset, false);
  }

  build(): Reading {
    return { text: this.#pieces.join(''), offsetOf: (place) => this.#offsetOf(place) };
  }

  #add(piece: string, offset: number, isCopy: boolean): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#places.push(this.#length);
    this.#offsets.push(offset);
    this.#isCopy.push(isCopy);
    this.#length += piece.length;
  }

  #offsetOf(place: number): number {
    let [low, high] = [0, this.#places.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#places[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const offset = this.#offsets[low] ?? 0;
    return this.#isCopy[low] ? offset + place - (this.#places[low] ?? 0) : offset;
  }
}

/** How much unchanged text around a replaced piece belongs to a reading, if no line ends before. */
const surroundings = 600;

/**
 * Returns a reading in which every match of a global pattern is replaced by its meaning, or left as it is if it has none;
 * undefined if nothing was replaced. Lines without a replaced piece are left out: they were read before.
 */
export function replaceAll(
  text: string,
  pattern: RegExp,
  toMeaning: (piece: string) => string | undefined,
): Reading | undefined {
  const builder = new ReadingBuilder();
  /** Up to here the text is in the reading or left out; and up to here it belongs to the surroundings of a piece. */
  let [end, reach] = [0, 0];
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    const meaning = toMeaning(piece);
    if (meaning === undefined) continue;
    if (index > reach) {
      builder.copy(text.slice(end, reach), end);
      end = Math.max(reach, startOfLine(text, index));
      if (reach > 0) builder.replace('\n\n', end);
    }
    builder.copy(text.slice(end, index), end);
    builder.replace(meaning, index);
    end = index + piece.length;
    if (end > reach) reach = endOfLine(text, end);
  }
  if (reach === 0) return undefined;
  builder.copy(text.slice(end, reach), end);
  return builder.build();
}

function startOfLine(text: string, index: number): number {
  const first = Math.max(0, index - surroundings);
  return first + text.slice(first, index).lastIndexOf('\n') + 1;
}

function endOfLine(text: string, index: number): number {
  const found = text.slice(index, index + surroundings).indexOf('\n');
  return found < 0 ? Math.min(text.length, index + surroundings) : index + found;
}
