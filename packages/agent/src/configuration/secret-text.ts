const placeholder = '[secret]';
/** Redacting a shorter key would redact ordinary words, and such a key is easily guessed anyway. */
const shortestRedacted = 6;

/** A text that is never shown in logs, JSON, templates or the inspected output of its owner. */
export class SecretText {
  readonly #value: string;
  readonly #spellings: readonly string[];
  readonly #redacted: string;

  /** The label says in redacted texts what was there. */
  constructor(value: string, label = 'USER_KEY') {
    this.#value = value;
    this.#redacted = `[REDACTED:${label}]`;
    const escaped = JSON.stringify(value).slice(1, -1);
    this.#spellings =
      value.length < shortestRedacted ? [] : [...new Set([value, escaped, encodeURIComponent(value.toWellFormed())])];
  }

  /** Returns the secret. Use it only for the request it belongs to. */
  reveal(): string {
    return this.#value;
  }

  /** Returns a copy of a JSON value in which no string and no member name contains the secret. */
  redactFrom<T>(value: T): T {
    return this.#spellings.length === 0 ? value : (this.#redact(value) as T);
  }

  /** Returns how many characters at the end of a text may be the beginning of the secret. */
  lengthOfBeginningIn(text: string): number {
    const lengths = this.#spellings.map((spelling) => {
      let length = Math.min(spelling.length - 1, text.length);
      while (length > 0 && !text.endsWith(spelling.slice(0, length))) length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }

  #redact(value: unknown): unknown {
    if (typeof value === 'string') {
      return this.#spellings.reduce((text, spelling) => text.replaceAll(spelling, this.#redacted), value);
    }
    if (Array.isArray(value)) return value.map((member) => this.#redact(member));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#redact(name) as string, this.#redact(member)]),
    );
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return placeholder;
  }
}

/** Excludes dates, URLs, bytes and similar objects, which are not redacted. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
