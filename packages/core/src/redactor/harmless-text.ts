/**
 * What stands for a secret without being one: variables, and what manuals put in place of a key. Ends where a value can
 * end.
 */
const placeholder =
  /(?:\$\{\{? ?[A-Za-z0-9_.:-]{1,100} ?\}?\}|\$[A-Z_][A-Z0-9_]{0,100}|(?:process\.env|import\.meta\.env|os\.environ(?:\.get)?|ENV)[.([]["']?[A-Za-z0-9_]{1,100}["']?[)\]]?|<[^<>\s]{1,60}>|\*{3,20}|x{3,20}|X{3,20}|\.{3}|\u2026|your(?:[_-][a-z]{1,20}){1,5}|YOUR(?:_[A-Z]{1,20}){1,5})(?=["'`,;)]{0,3}(?:\s|$))/y;
const examplePassword = /^(?:password|passwd|your[_-]?password|<[^<>]{1,60}>|\*+|x{3,}|\$\{?[A-Z_][A-Z0-9_]*\}?)$/i;

/** Returns whether the value that starts here is a variable or a placeholder. Reads a bounded number of characters. */
export function isPlaceholder(text: string, start = 0): boolean {
  placeholder.lastIndex = start;
  return placeholder.test(text);
}

/** Returns whether a password in a URL is one that examples use. */
export function isExamplePassword(password: string): boolean {
  return password.length <= 100 && examplePassword.test(password);
}

const publicBlock = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}(?:PUBLIC KEY|CERTIFICATE(?: REQUEST)?)-----/g;
const encodedOnly = /(?:[A-Za-z0-9+/=\s]|\\[nr])*/y;
const checksum = /^sha(?:1|224|256|384|512)-/;
const dataUrl = /data:[\w.+-]{0,30}\/?[\w.+;=-]{0,30};base64,$/i;
const publicKeyType = /(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[a-z0-9]{1,20})[ \t]{1,4}$/;

/** Base64 that is public by its purpose: checksums, embedded files, public keys and certificates. */
export class PublicBase64 {
  readonly #text: string;
  #blocks: { start: number; end: number }[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Candidates must be asked about in the order of the text. */
  includes(candidate: string, index: number): boolean {
    if (checksum.test(candidate)) return true;
    const before = this.#text.slice(Math.max(0, index - 80), index);
    if (dataUrl.test(before) || (candidate.startsWith('AAAA') && publicKeyType.test(before))) return true;
    this.#blocks ??= findPublicBlocks(this.#text);
    while ((this.#blocks[0]?.end ?? index + 1) <= index) this.#blocks.shift();
    return (this.#blocks[0]?.start ?? index) < index;
  }
}

function findPublicBlocks(text: string): { start: number; end: number }[] {
  return [...text.matchAll(publicBlock)].flatMap(({ 0: begin, index }) => {
    encodedOnly.lastIndex = index + begin.length;
    encodedOnly.test(text);
    const end = encodedOnly.lastIndex;
    return text.startsWith('-----END ', end) ? [{ start: index, end }] : [];
  });
}
