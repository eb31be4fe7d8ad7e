const placeholder = '[secret]';
const redacted = '[REDACTED:USER_KEY]';
/** Below this, taking a key out of texts would take out ordinary words, and guessing it takes no time anyway. */
const shortestRedacted = 6;

/** A text that shows itself nowhere: not in logs, JSON, templates or the debugger's view of its owner. */
export class SecretText {
  readonly #value: string;
  readonly #spellings: readonly string[];

  constructor(value: string) {
    this.#value = value;
    const escaped = JSON.stringify(value).slice(1, -1);
    this.#spellings =
      value.length < shortestRedacted ? [] : [...new Set([value, escaped, encodeURIComponent(value.toWellFormed())])];
  }

  /** For the request it belongs in, and nowhere else. */
  reveal(): string {
    return this.#value;
  }

  /** A copy of a JSON value in which no string and no member name holds the secret. */
  redactFrom<T>(value: T): T {
    return this.#spellings.length === 0 ? value : (this.#redact(value) as T);
  }

  #redact(value: unknown): unknown {
    if (typeof value === 'string') {
      return this.#spellings.reduce((text, spelling) => text.replaceAll(spelling, redacted), value);
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

/** Dates, URLs, bytes and the like are left as they are. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
