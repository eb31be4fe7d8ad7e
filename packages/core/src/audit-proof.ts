import { canonicalJson, type Json } from './json.js';

/** A statement about the whole audit log of a tenant. It is signed with a key that the database does not have. */
export interface SignedHead {
  tenant: string;
  /** Id of the log. A tenant gets a new one if its log cannot be continued. */
  log: string;
  /** Number of records that the log covers. */
  size: number;
  /** Root of the Merkle tree over these records (RFC 6962), hexadecimal like all hashes. */
  root: string;
  at: string;
  /** Ed25519 public key, 32 bytes in base64. */
  key: string;
  /** Signature of `headStatement`, in base64. */
  signature: string;
}

/** Proves that one audit record, with exactly this text, was in the log when the head was signed. */
export interface RecordProof {
  head: SignedHead;
  position: number;
  /** Hashes of the neighbouring subtrees, from the leaf upwards. */
  path: readonly string[];
  /** Id of the record's chain in the log, and its number there. */
  chain: string;
  seq: number;
  /** Hash of the record before it in its chain. */
  previous: string;
  /** The record, byte for byte as it was hashed. */
  record: string;
}

/** Proves that the log of a later head begins with the whole log of an earlier one. */
export interface ConsistencyProof {
  first: SignedHead;
  second: SignedHead;
  path: readonly string[];
}

export function headStatement({ tenant, log, size, root, at }: Omit<SignedHead, 'key' | 'signature'>): string {
  return toStatement('head', { tenant, log, size, root, at });
}

/** Returns the text that is signed: a line that says what it is, and canonical JSON. */
export function toStatement(kind: string, content: { [name: string]: Json }): string {
  return `memhall audit ${kind} v1\n${canonicalJson(content)}`;
}

/** Returns the text of a leaf: the id of a chain, the number of a record in it, and the hash that the chain has there. */
export function leafText(chain: string, seq: number | bigint, hash: string): string {
  return `${chain}\n${seq}\n${hash}`;
}

/** Returns whether the text was signed by one of the trusted keys. */
export async function isSigned(
  text: string,
  { key, signature }: { key: string; signature: string },
  trustedKeys: Iterable<string>,
): Promise<boolean> {
  if (![...trustedKeys].includes(key)) return false;
  try {
    const publicKey = await crypto.subtle.importKey('raw', fromBase64(key), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', publicKey, fromBase64(signature), utf8(text));
  } catch {
    return false;
  }
}

export function isSignedHead(head: SignedHead, trustedKeys: Iterable<string>): Promise<boolean> {
  return isSigned(headStatement(head), head, trustedKeys);
}

/** Returns why a proof proves nothing; undefined if it is sound. */
export async function findProofFault(proof: RecordProof, trustedKeys: Iterable<string>): Promise<string | undefined> {
  const { head, position, path, chain, seq, previous, record } = proof;
  if (!(await isSignedHead(head, trustedKeys))) return 'The head is not signed by a trusted key.';
  if (![head.root, previous, ...path].every(isHash)) return 'A hash is not 64 hexadecimal digits.';
  const hash = await sha256(fromHex(previous), utf8(`${seq}\n${record}`));
  const leaf = await sha256(leafMark, utf8(leafText(chain, seq, toHex(hash))));
  const root = await rootOfInclusion({ leaf: toHex(leaf), position, size: head.size, path });
  return root === head.root ? undefined : 'The record is not in the log that the head describes.';
}

/** Returns why the log of the second head need not contain that of the first; undefined if it does. */
export async function findConsistencyFault(
  { first, second, path }: ConsistencyProof,
  trustedKeys: Iterable<string>,
): Promise<string | undefined> {
  for (const head of [first, second]) {
    if (!(await isSignedHead(head, trustedKeys)))
      return `The head of size ${head.size} is not signed by a trusted key.`;
  }
  if (first.tenant !== second.tenant || first.log !== second.log) return 'The heads are of different logs.';
  if (![first.root, second.root, ...path].every(isHash)) return 'A hash is not 64 hexadecimal digits.';
  return (await isConsistent(first, second, path)) ? undefined : 'The log was rewritten between the two heads.';
}

interface Inclusion {
  leaf: string;
  position: number;
  size: number;
  path: readonly string[];
}

/** Returns the root of the tree that has the leaf in this position; undefined if the path does not fit (RFC 9162, 2.1.3.2). */
export async function rootOfInclusion({ leaf, position, size, path }: Inclusion): Promise<string | undefined> {
  if (!isCount(position) || !isCount(size) || position >= size) return undefined;
  let root = leaf;
  const isWhole = await climb(position, size - 1, path, async (sibling, isLeft) => {
    root = await (isLeft ? join(sibling, root) : join(root, sibling));
  });
  return isWhole ? root : undefined;
}

interface Tree {
  size: number;
  root: string;
}

/** Returns whether the path proves that the first tree is the beginning of the second (RFC 9162, 2.1.4.2). */
export async function isConsistent(first: Tree, second: Tree, path: readonly string[]): Promise<boolean> {
  if (!isCount(first.size) || !isCount(second.size) || first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return path.length === 0 && first.root === second.root;
  let [node, last] = [first.size - 1, second.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // A perfect first tree is a subtree of the second: the path does not repeat its root.
  const [start, ...rest] = node === 0 ? [first.root, ...path] : path;
  if (start === undefined) return false;
  let [firstRoot, secondRoot] = [start, start];
  const isWhole = await climb(node, last, rest, async (sibling, isLeft) => {
    if (isLeft) firstRoot = await join(sibling, firstRoot);
    secondRoot = await (isLeft ? join(sibling, secondRoot) : join(secondRoot, sibling));
  });
  return isWhole && firstRoot === first.root && secondRoot === second.root;
}

/** Walks from a node of a level up to the root. Returns false if the path does not lead exactly there. */
async function climb(
  from: number,
  end: number,
  path: readonly string[],
  take: (sibling: string, isLeft: boolean) => Promise<void>,
): Promise<boolean> {
  let [node, last] = [from, end];
  for (const sibling of path) {
    if (last === 0) return false;
    const isLeft = node % 2 === 1 || node === last;
    await take(sibling, isLeft);
    // The last node of a level may have no sibling, and is then the last of the next level too.
    while (isLeft && node % 2 === 0 && node > 0) [node, last] = [half(node), half(last)];
    [node, last] = [half(node), half(last)];
  }
  return last === 0;
}

/** Bit operations would cut numbers to 32 bits. */
function half(count: number): number {
  return Math.floor(count / 2);
}

/** What is hashed begins with one of these, so that no node can be passed off as a leaf. */
const [leafMark, nodeMark] = [Uint8Array.of(0), Uint8Array.of(1)];

async function join(left: string, right: string): Promise<string> {
  return toHex(await sha256(nodeMark, fromHex(left), fromHex(right)));
}

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))));
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
