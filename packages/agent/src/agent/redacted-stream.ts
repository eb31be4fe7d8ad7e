export interface StreamRedaction {
  redact: (text: string) => string;
  /** Returns how many characters at the end of a text may be the beginning of a secret. */
  unfinishedSecret: (text: string) => number;
}

/** Redacts a text that arrives in pieces. Holds back the beginning of a possible secret until the rest has arrived. */
export class RedactedStream {
  readonly #redaction: StreamRedaction;
  #held = '';

  constructor(redaction: StreamRedaction) {
    this.#redaction = redaction;
  }

  /** Returns what can be shown now; may be empty. */
  add(piece: string): string {
    const text = this.#held + piece;
    const end = text.length - this.#redaction.unfinishedSecret(text);
    this.#held = text.slice(end);
    return this.#redaction.redact(text.slice(0, end));
  }

  /** Returns what was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#redaction.redact(rest);
  }
}

/** Assumes that a secret has no white space. */
export function lengthOfLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && /\S/u.test(text[start - 1] ?? '')) start -= 1;
  return text.length - start;
}
