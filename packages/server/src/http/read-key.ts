import { Problem } from '@memhall/core';

/** The user that a request names, and the key it sends as proof. */
export interface NamedKey {
  userId: string;
  userKey: string;
}

/** More members than any body with a key has. */
const maxMembers = 100;
const maxCharacters = 1024;
/** Two quotes, and every character as an escape of six bytes. */
const maxTokenBytes = 2 + 6 * maxCharacters;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns `user_id` and `user_key` of a JSON object without parsing it: reads its top-level members up to the second of the two.
 * The rest may be anything, and a member may be repeated, so the parsed body must be compared with the result. Throws
 * INVALID_REQUEST.
 */
export function readKey(body: Uint8Array): NamedKey {
  const tokens = new MemberTokens(body);
  const found = new Map<string, string>();
  for (let count = 0; found.size < 2; count++) {
    const member = tokens.next();
    if (member === undefined) break;
    if (count === maxMembers) throw invalid('The body has too many members. Send user_id and user_key first');
    if (member.name === 'user_id' || member.name === 'user_key') {
      found.set(member.name, toText(member.name, member.value));
    }
  }
  return { userId: required(found, 'user_id'), userKey: required(found, 'user_key') };
}

function required(found: ReadonlyMap<string, string>, name: string): string {
  const value = found.get(name);
  if (value === undefined) throw invalid(`"${name}" is required`);
  return value;
}

function toText(name: string, token: Uint8Array): string {
  if (token[0] !== quote) throw invalid(`"${name}" must be a string`);
  const text = token.length > maxTokenBytes ? undefined : decode(token);
  if (text === undefined || text.length > maxCharacters) {
    throw invalid(`"${name}" must have at most ${maxCharacters} characters`);
  }
  return text;
}

/** Goes through the top-level members of a JSON object. Looks only at what separates them. */
class MemberTokens {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    if (this.#skipSpace() !== openBrace) throw invalid('The body must be an object');
  }

  /** Returns undefined after the last member. */
  next(): { name: string | undefined; value: Uint8Array } | undefined {
    const isFirst = this.#bytes[this.#at] === openBrace;
    if (!isFirst && this.#bytes[this.#at] === closeBrace) return undefined;
    this.#at += 1;
    const start = this.#skipSpace();
    if (isFirst && start === closeBrace) return undefined;
    if (start !== quote) throw notJson();
    const nameToken = this.#take(() => this.#skipString());
    if (this.#skipSpace() !== colon) throw notJson();
    this.#at += 1;
    const isString = this.#skipSpace() === quote;
    const value = this.#take(() => (isString ? this.#skipString() : this.#skipValue()));
    const end = this.#skipSpace();
    if (end !== comma && end !== closeBrace) throw notJson();
    return { name: nameToken.length > maxTokenBytes ? undefined : decode(nameToken), value };
  }

  #take(skip: () => void): Uint8Array {
    const from = this.#at;
    skip();
    return this.#bytes.subarray(from, this.#at);
  }

  #skipSpace(): number | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
    this.#at = at;
    return bytes[at];
  }

  #skipString(): void {
    this.#at = endOfString(this.#bytes, this.#at);
  }

  /** Skips to the comma or brace after a value that is not a string. */
  #skipValue(): void {
    const bytes = this.#bytes;
    let depth = 0;
    let at = this.#at;
    while (at < bytes.length) {
      const byte = bytes[at];
      if (depth === 0 && (byte === comma || byte === closeBrace)) break;
      if (byte === quote) {
        at = endOfString(bytes, at);
        continue;
      }
      if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) depth -= 1;
      at += 1;
    }
    this.#at = at;
  }
}

/** Returns the position after the string that starts here. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  if (at >= bytes.length) throw notJson();
  return at + 1;
}

function decode(token: Uint8Array): string {
  try {
    return JSON.parse(Buffer.from(token.buffer, token.byteOffset, token.byteLength).toString('utf8'));
  } catch {
    throw notJson();
  }
}

function notJson(): Problem {
  return invalid('The body is not valid JSON');
}

function invalid(message: string): Problem {
  return new Problem('INVALID_REQUEST', `${message}.`);
}
