const disguisedLetters: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };
/** Shorter words have too many neighbours that mean something else. */
const shortestSwapped = 6;
const shortestDoubled = 7;
const longest = 24;

/** Finds the known word that a disguised or misspelt word stands for. */
export class WordCorrector {
  readonly #known: ReadonlySet<string>;
  readonly #bySignature = new Map<string, string>();
  readonly #byLetters = new Map<string, string>();
  /** First letter, last letter and length of the known words: a quick filter before letters are sorted. */
  readonly #outlines = new Set<number>();

  constructor(known: ReadonlySet<string>) {
    this.#known = known;
    for (const word of known) {
      if (!/^[a-z]+$/.test(word)) continue;
      if (word.length >= 3) this.#byLetters.set(withoutRepeats(word), word);
      if (word.length < shortestSwapped) continue;
      this.#bySignature.set(toSignature(word), word);
      this.#outlines.add(toOutline(word));
    }
  }

  /** Returns the word itself if it is known or resembles no known word. */
  correct(word: string): string {
    if (word.length > longest || this.#known.has(word)) return word;
    const letters = /\d/.test(word) ? word.replace(/\d/g, (digit) => disguisedLetters[digit] ?? digit) : word;
    if (this.#known.has(letters)) return letters;
    if (letters.length >= shortestSwapped && this.#outlines.has(toOutline(letters))) {
      const swapped = this.#bySignature.get(toSignature(letters));
      if (swapped !== undefined) return swapped;
    }
    const isRepeated = letters.length >= shortestDoubled ? hasRun(letters, 2) : hasRun(letters, 3);
    return (isRepeated ? this.#byLetters.get(withoutRepeats(letters)) : undefined) ?? letters;
  }
}

function toOutline(word: string): number {
  return word.charCodeAt(0) * 0x1000000 + word.charCodeAt(word.length - 1) * 0x100 + Math.min(word.length, 255);
}

/** Words with the same first and last letter and the same letters between them have the same signature. */
function toSignature(word: string): string {
  return word.charAt(0) + [...word.slice(1, -1)].sort().join('') + word.charAt(word.length - 1);
}

function withoutRepeats(word: string): string {
  return word.replace(/(.)\1+/g, '$1');
}

function hasRun(word: string, length: number): boolean {
  let run = 1;
  for (let at = 1; at < word.length; at++) {
    run = word.charCodeAt(at) === word.charCodeAt(at - 1) ? run + 1 : 1;
    if (run >= length) return true;
  }
  return false;
}
