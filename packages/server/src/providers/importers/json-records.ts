import { StartUpError } from '@memhall/core';

const mostRecordBytes = 64 * 1024 * 1024;
const deepest = 100;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A part of a JSON file: an element of the array that the file is, or of one of the members of the object that it is. */
export interface JsonRecord {
  /** Name of the member; '' in an array and in JSON Lines. */
  under: string;
  /** Position from 1, within the member. */
  number: number;
  /** undefined if it cannot be read. */
  value: unknown;
  fault?: string;
}

/**
 * Reads a file of JSON piece by piece: `[…]` by its elements; `{…}` by its members, and those that are arrays by their elements; and
 * `lines` by its lines. Keeps one piece in memory. Throws StartUpError if the file is something else, or cut off.
 */
export async function* readJsonRecords(
  name: string,
  chunks: AsyncIterable<Buffer>,
  form: 'whole' | 'lines',
): AsyncGenerator<JsonRecord> {
  const splitter = new JsonSplitter(name, form);
  for await (const chunk of chunks) yield* splitter.add(chunk);
  yield* splitter.end();
}

type State = 'start' | 'between' | 'key' | 'colon' | 'value' | 'done';

/** Finds where pieces begin and end. Whether each is valid is for JSON.parse to say. */
class JsonSplitter {
  readonly #name: string;
  readonly #form: 'whole' | 'lines';
  #state: State = 'start';
  /** Closing brackets of what the pieces are in, innermost last. */
  #around: number[] = [];
  #under = '';
  #key = '';
  #number = 0;
  #parts: Buffer[] = [];
  #bytes = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #fault: string | undefined;

  constructor(name: string, form: 'whole' | 'lines') {
    this.#name = name;
    this.#form = form;
  }

  *add(chunk: Buffer): Generator<JsonRecord> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#state === 'value') {
        if (!this.#isEnd(byte)) continue;
        this.#keep(chunk.subarray(from, at));
        yield* this.#take();
      } else if (this.#state === 'key') {
        if (byte === quote && !this.#isEscaped) {
          this.#keep(chunk.subarray(from, at));
          this.#takeKey();
          continue;
        }
        this.#isEscaped = byte === backslash && !this.#isEscaped;
        continue;
      }
      from = this.#next(byte, at) ?? from;
    }
    if (this.#state === 'value' || this.#state === 'key') this.#keep(chunk.subarray(from));
  }

  *end(): Generator<JsonRecord> {
    if (this.#form === 'lines' && this.#state === 'value') yield* this.#take();
    const isWhole = this.#form === 'lines' || this.#state === 'done';
    if (isWhole) return;
    if (this.#state === 'start') throw new StartUpError(`${this.#name} is empty.`);
    throw new StartUpError(`${this.#name} is cut off: its JSON does not end. Export it again.`);
  }

  /** Whether the value that is being read ends before this byte. */
  #isEnd(byte: number): boolean {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote || (this.#form === 'lines' && byte === 0x0a)) this.#isString = false;
      return this.#form === 'lines' && byte === 0x0a;
    }
    if (this.#form === 'lines') {
      if (byte === quote) this.#isString = true;
      else if (byte === openArray || byte === openObject) this.#deepen();
      else if (byte === closeArray || byte === closeObject) this.#depth -= 1;
      return byte === 0x0a;
    }
    switch (byte) {
      case quote:
        this.#isString = true;
        return false;
      case openArray:
      case openObject:
        this.#deepen();
        return false;
      case closeArray:
      case closeObject:
        if (this.#depth === 0) return true;
        this.#depth -= 1;
        return false;
      default:
        return byte === comma && this.#depth === 0;
    }
  }

  #deepen(): void {
    this.#depth += 1;
    if (this.#depth > deepest) this.#fault ??= `nested more than ${deepest} levels deep`;
  }

  /** Handles a byte between values. Returns where the text of a key or value begins, if one does. */
  #next(byte: number, at: number): number | undefined {
    if (byte <= 0x20) return undefined;
    if (this.#form === 'lines') {
      if (byte === 0xef || byte === 0xbb || byte === 0xbf) return undefined;
      return this.#begin(byte, at);
    }
    switch (this.#state) {
      case 'start':
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return undefined;
        if (byte !== openArray && byte !== openObject) {
          throw new StartUpError(`${this.#name} is not JSON: it begins with neither { nor [.`);
        }
        this.#around = [byte === openArray ? closeArray : closeObject];
        this.#state = 'between';
        return undefined;
      case 'between':
        if (byte === comma) return undefined;
        if (byte === this.#around.at(-1)) {
          this.#around.pop();
          this.#under = '';
          this.#state = this.#around.length === 0 ? 'done' : 'between';
          return undefined;
        }
        if (this.#around.at(-1) === closeArray) return this.#begin(byte, at);
        if (byte !== quote) throw this.#broken();
        this.#state = 'key';
        return at + 1;
      case 'colon':
        if (byte === colon) return undefined;
        if (byte === openArray) {
          this.#around.push(closeArray);
          this.#under = this.#key;
          this.#number = 0;
          this.#state = 'between';
          return undefined;
        }
        this.#number = 0;
        return this.#begin(byte, at);
      default:
        throw new StartUpError(`${this.#name} goes on after its end. If it has one value a line, call it ….jsonl.`);
    }
  }

  #begin(byte: number, at: number): number {
    if (byte === comma || byte === colon || byte === closeArray || byte === closeObject) {
      if (this.#form === 'whole') throw this.#broken();
    }
    this.#state = 'value';
    this.#number += 1;
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    this.#fault = undefined;
    this.#isEnd(byte);
    return at;
  }

  #broken(): StartUpError {
    return new StartUpError(`${this.#name} is not valid JSON. Export it again.`);
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > mostRecordBytes) this.#fault ??= `larger than ${mostRecordBytes / 1024 / 1024} MiB`;
    if (this.#fault === undefined) this.#parts.push(part);
    else this.#parts = [];
  }

  #takeKey(): void {
    const text = this.#text();
    try {
      this.#key = JSON.parse(`"${text}"`) as string;
    } catch {
      throw this.#broken();
    }
    this.#state = 'colon';
  }

  *#take(): Generator<JsonRecord> {
    const fault = this.#fault;
    const text = this.#text();
    this.#state = 'between';
    const inArray = this.#form === 'lines' || this.#around.at(-1) === closeArray;
    const place = { under: inArray ? this.#under : this.#key, number: this.#number };
    if (fault !== undefined) {
      yield { ...place, value: undefined, fault };
      return;
    }
    try {
      yield { ...place, value: JSON.parse(text) };
    } catch {
      yield { ...place, value: undefined, fault: 'not valid JSON' };
    }
  }

  #text(): string {
    const text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return text;
  }
}
