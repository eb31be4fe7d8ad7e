const mostBytes = 64 * 1024 * 1024;
const deepest = 100;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Follows a JSON value from byte to byte, and keeps its text until it is taken. */
export class ValueScanner {
  #parts: Buffer[] = [];
  #bytes = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #fault: string | undefined;

  /** Takes the next byte. Returns whether the value ends before it. */
  endsBefore(byte: number): boolean {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else this.#isString = byte !== quote;
      return false;
    }
    if (byte === quote) this.#isString = true;
    else if (byte === openArray || byte === openObject) this.#deepen();
    else if (byte === closeArray || byte === closeObject) {
      if (this.#depth === 0) return true;
      this.#depth -= 1;
    }
    return byte === comma && this.#depth === 0;
  }

  keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > mostBytes) this.#fault ??= `larger than ${mostBytes / 1024 / 1024} MiB`;
    if (this.#fault === undefined) this.#parts.push(part);
    else this.#parts = [];
  }

  /** Keeps a part whose bytes were not followed one by one. */
  keepWhole(part: Buffer): void {
    for (const byte of part) this.endsBefore(byte);
    this.keep(part);
  }

  /** Returns the value and begins with the next. `around` is put before and after its text. */
  take(around = ''): { value: unknown; fault?: string; isBlank: boolean } {
    const fault = this.#fault;
    const text = Buffer.concat(this.#parts)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    this.#parts = [];
    this.#bytes = 0;
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    this.#fault = undefined;
    const isBlank = fault === undefined && text.trim() === '';
    if (fault !== undefined) return { value: undefined, fault, isBlank };
    try {
      return { value: JSON.parse(`${around}${text}${around}`), isBlank };
    } catch {
      return { value: undefined, fault: 'not valid JSON', isBlank };
    }
  }

  #deepen(): void {
    this.#depth += 1;
    if (this.#depth > deepest) this.#fault ??= `nested more than ${deepest} levels deep`;
  }
}
