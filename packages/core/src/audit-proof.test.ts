import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConsistencyProof,
  findConsistencyFault,
  findProofFault,
  headStatement,
  isConsistent,
  leafText,
  type RecordProof,
  rootOfInclusion,
  type SignedHead,
} from './audit-proof.js';

function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  return createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
}

const leafHash = (data: Buffer | string) => sha256(Buffer.of(0), data);
const nodeHash = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);

/** The largest power of two below a number. */
function split(size: number): number {
  return 2 ** (Math.ceil(Math.log2(size)) - 1);
}

// The definitions of RFC 6962, word for word. They build what the verifier has to recognise.

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return first;
  const k = split(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

function pathOf(position: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return position < k
    ? [...pathOf(position, leaves.slice(0, k)), rootOf(leaves.slice(k))]
    : [...pathOf(position - k, leaves.slice(k)), rootOf(leaves.slice(0, k))];
}

function consistencyOf(first: number, leaves: readonly Buffer[], isWhole = true): Buffer[] {
  if (first === leaves.length) return isWhole ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  return first <= k
    ? [...consistencyOf(first, leaves.slice(0, k), isWhole), rootOf(leaves.slice(k))]
    : [...consistencyOf(first - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
}

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));
const toLeaves = (count: number) => Array.from({ length: count }, (_, index) => leafHash(`leaf ${index}`));

function newKey(): { key: string; signed(head: Omit<SignedHead, 'key' | 'signature'>): SignedHead } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  return {
    key,
    signed: (head) => ({
      ...head,
      key,
      signature: sign(null, Buffer.from(headStatement(head)), privateKey).toString('base64'),
    }),
  };
}

/** A tree of a given size and a position in it. */
const places = fc
  .integer({ min: 1, max: 70 })
  .chain((size) => fc.record({ size: fc.constant(size), position: fc.nat({ max: size - 1 }) }));
const growths = fc
  .integer({ min: 1, max: 70 })
  .chain((second) => fc.record({ first: fc.integer({ min: 1, max: second }), second: fc.constant(second) }));

describe('the path of a leaf', () => {
  it('leads to the root, from every leaf of every tree', async () => {
    await fc.assert(
      fc.asyncProperty(places, async ({ size, position }) => {
        const leaves = toLeaves(size);
        const leaf = hex(leaves)[position] ?? '';
        const path = hex(pathOf(position, leaves));
        expect(await rootOfInclusion({ leaf, position, size, path })).toBe(rootOf(leaves).toString('hex'));
      }),
    );
  });

  it('leads nowhere from another position, in a tree of another size, or with another hash', async () => {
    await fc.assert(
      fc.asyncProperty(places, fc.nat(), async ({ size, position }, seed) => {
        const leaves = toLeaves(size);
        const root = rootOf(leaves).toString('hex');
        const given = { leaf: hex(leaves)[position] ?? '', position, size, path: hex(pathOf(position, leaves)) };
        for (const other of [position - 1, position + 1, seed % (size + 2)]) {
          if (other !== position) expect(await rootOfInclusion({ ...given, position: other })).not.toBe(root);
        }
        expect(await rootOfInclusion({ ...given, leaf: leafHash('another').toString('hex') })).not.toBe(root);
        expect(await rootOfInclusion({ ...given, path: [...given.path, root] })).not.toBe(root);
        if (given.path.length === 0) return;
        expect(await rootOfInclusion({ ...given, path: given.path.slice(1) })).not.toBe(root);
        const altered = given.path.map((hash, index) => (index === seed % given.path.length ? root : hash));
        expect(await rootOfInclusion({ ...given, path: altered })).not.toBe(root);
      }),
    );
  });

  it('is 40 hashes long in a log of a trillion records', async () => {
    const size = 2 ** 40;
    const path = Array.from({ length: 40 }, (_, level) => leafHash(`${level}`).toString('hex'));
    expect(await rootOfInclusion({ leaf: path[0] ?? '', position: size - 1, size, path })).toBeDefined();
    expect(
      await rootOfInclusion({ leaf: path[0] ?? '', position: size - 1, size, path: path.slice(1) }),
    ).toBeUndefined();
  });
});

describe('a consistency path', () => {
  it('proves that a tree begins with any earlier state of it', async () => {
    await fc.assert(
      fc.asyncProperty(growths, async ({ first, second }) => {
        const leaves = toLeaves(second);
        const before = { size: first, root: rootOf(leaves.slice(0, first)).toString('hex') };
        const after = { size: second, root: rootOf(leaves).toString('hex') };
        expect(await isConsistent(before, after, hex(consistencyOf(first, leaves)))).toBe(true);
      }),
    );
  });

  it('proves nothing if any earlier leaf was changed', async () => {
    await fc.assert(
      fc.asyncProperty(growths, fc.nat(), async ({ first, second }, seed) => {
        const leaves = toLeaves(second);
        const changed = leaves.with(seed % first, leafHash('rewritten'));
        const before = { size: first, root: rootOf(leaves.slice(0, first)).toString('hex') };
        const after = { size: second, root: rootOf(changed).toString('hex') };
        for (const source of [leaves, changed]) {
          expect(await isConsistent(before, after, hex(consistencyOf(first, source)))).toBe(false);
        }
      }),
    );
  });

  it('proves nothing for a tree that became smaller, or is empty', async () => {
    const root = rootOf(toLeaves(3)).toString('hex');
    expect(await isConsistent({ size: 3, root }, { size: 2, root }, [])).toBe(false);
    expect(await isConsistent({ size: 0, root }, { size: 2, root }, [])).toBe(false);
    expect(await isConsistent({ size: 1, root }, { size: 2, root }, [])).toBe(false);
    expect(await isConsistent({ size: 3, root }, { size: 5, root }, [])).toBe(false);
  });
});

describe('a proof of a record', () => {
  const record = '{"target":"working/p/k","user_id":"u1"}';
  const previous = sha256('before').toString('hex');
  const hash = sha256(Buffer.from(previous, 'hex'), `7\n${record}`).toString('hex');
  const leaves = toLeaves(20).with(11, leafHash(leafText('c1', 7, hash)));
  const { key, signed } = newKey();
  const root = rootOf(leaves).toString('hex');
  const head = signed({ tenant: 't1', log: 'l1', size: 20, root, at: '2026-11-18T12:00:00.000Z' });
  const proof: RecordProof = {
    ...{ head, position: 11, path: hex(pathOf(11, leaves)) },
    ...{ chain: 'c1', seq: 7, previous, record },
  };

  it('is sound for the text that was recorded, also after it was sent as JSON', async () => {
    expect(await findProofFault(JSON.parse(JSON.stringify(proof)), [key])).toBeUndefined();
  });

  it.each<[string, Partial<RecordProof>]>([
    ['text', { record: record.replace('u1', 'u2') }],
    ['number', { seq: 8 }],
    ['chain', { chain: 'c2' }],
    ['position', { position: 10 }],
    ['predecessor', { previous: root }],
    ['path', { path: [] }],
  ])('is not sound for another %s', async (_, change) => {
    expect(await findProofFault({ ...proof, ...change }, [key])).toBe(
      'The record is not in the log that the head describes.',
    );
  });

  it('is not sound if anything in the head was changed, or if its key is not trusted', async () => {
    const untrusted = 'The head is not signed by a trusted key.';
    for (const change of [{ tenant: 't2' }, { log: 'l2' }, { size: 21 }, { root: previous }, { at: 'later' }]) {
      expect(await findProofFault({ ...proof, head: { ...head, ...change } }, [key])).toBe(untrusted);
    }
    expect(await findProofFault({ ...proof, head: { ...head, signature: '!' } }, [key])).toBe(untrusted);
    expect(await findProofFault(proof, [newKey().key])).toBe(untrusted);
    expect(await findProofFault(proof, [])).toBe(untrusted);
  });

  it('is not sound if a hash is not one', async () => {
    const path = ['00', ...proof.path.slice(1)];
    expect(await findProofFault({ ...proof, path }, [key])).toBe('A hash is not 64 hexadecimal digits.');
  });

  it('shows that a later head has the same log, or that it has not', async () => {
    const later = [...leaves, ...toLeaves(5)];
    const second = signed({ ...head, size: 25, root: rootOf(later).toString('hex') });
    const whole: ConsistencyProof = { first: head, second, path: hex(consistencyOf(20, later)) };
    expect(await findConsistencyFault(whole, [key])).toBeUndefined();
    const rewritten = signed({ ...second, root: rootOf([...toLeaves(20), ...toLeaves(5)]).toString('hex') });
    const fault = 'The log was rewritten between the two heads.';
    expect(await findConsistencyFault({ ...whole, second: rewritten }, [key])).toBe(fault);
    expect(await findConsistencyFault({ ...whole, second: signed({ ...second, log: 'l2' }) }, [key])).toBe(
      'The heads are of different logs.',
    );
    expect(await findConsistencyFault({ ...whole, second: { ...second, size: 26 } }, [key])).toBe(
      'The head of size 26 is not signed by a trusted key.',
    );
    expect(await findConsistencyFault({ ...whole, path: ['x'] }, [key])).toBe('A hash is not 64 hexadecimal digits.');
  });
});

it('is short enough to be read before it is trusted, and needs nothing but this package', () => {
  const source = readFileSync(new URL('./audit-proof.ts', import.meta.url), 'utf8');
  expect(source.split('\n').length).toBeLessThan(200);
  expect([...source.matchAll(/from '(.+)'/g)].map(([, name]) => name)).toEqual(['./json.js']);
});
