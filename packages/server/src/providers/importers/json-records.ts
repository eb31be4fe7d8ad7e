import { StartUpError } from '@memhall/core';
import { ValueScanner } from './value-scanner.js';

const [quote, backslash, comma, colon, lineEnd] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const byteOrderMark = [0xef, 0xbb, 0xbf];

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
  if (form === 'lines') {
    yield* readLines(chunks);
    return;
  }
  const splitter = new JsonSplitter(name);
  for await (const chunk of chunks) yield* splitter.add(chunk);
  splitter.end();
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord> {
  const line = new ValueScanner();
  let number = 0;
  const take = function* (): Generator<JsonRecord> {
    number += 1;
    const { value, fault, isBlank } = line.take();
    if (!isBlank) yield { under: '', number, value, ...(fault === undefined ? {} : { fault }) };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, from)) {
      line.keepWhole(chunk.subarray(from, at));
      yield* take();
      from = at + 1;
    }
    line.keepWhole(chunk.subarray(from));
  }
  yield* take();
}

type State = 'start' | 'between' | 'key' | 'colon' | 'value' | 'done';

/** Finds where pieces begin and end. Whether each is valid is for JSON.parse to say. */
class JsonSplitter {
  readonly #name: string;
  readonly #value = new ValueScanner();
  #state: State = 'start';
  /** Closing brackets of what the pieces are in, innermost last. */
  #around: number[] = [];
  /** Member whose elements are read. */
  #under = '';
  #key = '';
  #isEscaped = false;
  #number = 0;

  constructor(name: string) {
    this.#name = name;
  }

  *add(chunk: Buffer): Generator<JsonRecord> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#state === 'key') {
        if (!this.#endsKey(byte)) continue;
        this.#value.keep(chunk.subarray(from, at));
        this.#takeKey();
        continue;
      }
      if (this.#state === 'value') {
        if (!this.#value.endsBefore(byte)) continue;
        this.#value.keep(chunk.subarray(from, at));
        yield this.#take();
      }
      const skipped = byte > 0x20 ? this.#begins(byte) : undefined;
      if (skipped !== undefined) from = at + skipped;
    }
    if (this.#state === 'value' || this.#state === 'key') this.#value.keep(chunk.subarray(from));
  }

  end(): void {
    if (this.#state === 'done') return;
    if (this.#state === 'start') throw new StartUpError(`${this.#name} is empty.`);
    throw new StartUpError(`${this.#name} is cut off: its JSON does not end. Export it again.`);
  }

  /** Handles a byte between keys and values. If one begins, returns how many bytes after this one its text does. */
  #begins(byte: number): 0 | 1 | undefined {
    switch (this.#state) {
      case 'start':
        return this.#open(byte);
      case 'between':
        return this.#goOn(byte);
      case 'colon':
        return this.#beginMember(byte);
      default:
        throw new StartUpError(`${this.#name} goes on after its end. If it has one value a line, call it ….jsonl.`);
    }
  }

  #open(byte: number): 0 | 1 | undefined {
    if (byteOrderMark.includes(byte)) return undefined;
    if (byte !== openArray && byte !== openObject) {
      throw new StartUpError(`${this.#name} is not JSON: it begins with neither { nor [.`);
    }
    this.#around = [byte === openArray ? closeArray : closeObject];
    this.#state = 'between';
    return undefined;
  }

  #goOn(byte: number): 0 | 1 | undefined {
    if (byte === comma) return undefined;
    if (byte === this.#around.at(-1)) {
      this.#around.pop();
      this.#under = '';
      if (this.#around.length === 0) this.#state = 'done';
      return undefined;
    }
    if (this.#around.at(-1) === closeArray) return this.#beginValue(byte);
    if (byte !== quote) throw this.#broken();
    this.#state = 'key';
    this.#isEscaped = false;
    return 1;
  }

  #beginMember(byte: number): 0 | 1 | undefined {
    if (byte === colon) return undefined;
    this.#number = 0;
    if (byte !== openArray) return this.#beginValue(byte);
    this.#around.push(closeArray);
    this.#under = this.#key;
    this.#state = 'between';
    return undefined;
  }

  #beginValue(byte: number): 0 {
    if ([comma, colon, closeArray, closeObject].includes(byte)) throw this.#broken();
    this.#state = 'value';
    this.#number += 1;
    this.#value.endsBefore(byte);
    return 0;
  }

  #endsKey(byte: number): boolean {
    const isEnd = byte === quote && !this.#isEscaped;
    this.#isEscaped = byte === backslash && !this.#isEscaped;
    return isEnd;
  }

  #takeKey(): void {
    const { value, fault } = this.#value.take('"');
    if (fault !== undefined || typeof value !== 'string') throw this.#broken();
    this.#key = value;
    this.#state = 'colon';
  }

  #take(): JsonRecord {
    this.#state = 'between';
    const under = this.#around.at(-1) === closeArray ? this.#under : this.#key;
    const { value, fault } = this.#value.take();
    return { under, number: this.#number, value, ...(fault === undefined ? {} : { fault }) };
  }

  #broken(): StartUpError {
    return new StartUpError(`${this.#name} is not valid JSON. Export it again.`);
  }
}
