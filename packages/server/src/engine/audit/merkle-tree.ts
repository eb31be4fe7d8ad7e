import { createHash } from 'node:crypto';
import { leafText } from '@memhall/core';

/** A perfect subtree: 2 ** level leaves, the last of which is in position end - 1. */
interface Subtree {
  end: number;
  level: number;
}

/** Leaves from a position up to but not including another. */
interface Range {
  from: number;
  to: number;
}

const hashBytes = 32;

/** Returns the hash of the leaf that stands for a record. */
export function leafHash({ chainId, seq, hash }: { chainId: string; seq: number; hash: Buffer }): Buffer {
  const text = leafText(chainId, seq, hash.toString('hex'));
  return createHash('sha256').update('\0').update(text).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update('\x01').update(left).update(right).digest();
}

/** A Merkle tree (RFC 6962) that leaves are appended to. Holds the root of each perfect subtree it consists of, and no leaves. */
export class GrowingTree {
  #size: number;
  readonly #peaks: Buffer[];

  /** @param peaks the hashes of `partsOf({ from: 0, to: size })` */
  constructor(size = 0, peaks: readonly Buffer[] = []) {
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): number {
    return this.#size;
  }

  /** The tree must not be empty. */
  get root(): Buffer {
    return joinParts(this.#peaks);
  }

  /** Returns the hashes of the perfect subtrees that the leaf completes, from two leaves upwards. */
  push(leaf: Buffer): Buffer[] {
    const completed: Buffer[] = [];
    let hash = leaf;
    for (let before = this.#size; before % 2 === 1; before = Math.floor(before / 2)) {
      const left = this.#peaks.pop();
      if (left === undefined) throw new Error('the tree lacks a part');
      hash = nodeHash(left, hash);
      completed.push(hash);
    }
    this.#peaks.push(hash);
    this.#size += 1;
    return completed;
  }
}

/** Returns the perfect subtrees that a range consists of, in order. `from` must be a multiple of the largest of them. */
export function partsOf({ from, to }: Range): Subtree[] {
  const parts: Subtree[] = [];
  for (let end = from; end < to; ) {
    const level = Math.floor(Math.log2(to - end));
    end += 2 ** level;
    parts.push({ end, level });
  }
  return parts;
}

/** Returns the hash of the tree whose perfect subtrees have these hashes. */
export function joinParts(hashes: readonly Buffer[]): Buffer {
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Returns the hash of a subtree, given the last leaf in it and the subtrees which that leaf completed. */
export function hashIn(leaf: Parameters<typeof leafHash>[0] & { nodes: Buffer }, level: number): Buffer {
  return level === 0 ? leafHash(leaf) : leaf.nodes.subarray((level - 1) * hashBytes, level * hashBytes);
}

/** Returns the ranges whose hashes lead from a leaf to the root (RFC 6962, 2.1.1). */
export function inclusionPath(position: number, { from, to }: Range): Range[] {
  if (to - from <= 1) return [];
  const middle = from + splitOf(to - from);
  return position < middle
    ? [...inclusionPath(position, { from, to: middle }), { from: middle, to }]
    : [...inclusionPath(position, { from: middle, to }), { from, to: middle }];
}

/** Returns the ranges whose hashes show that the tree begins with its first `size` leaves (RFC 6962, 2.1.2). */
export function consistencyPath(size: number, { from, to }: Range, isKnown = true): Range[] {
  if (size === to) return isKnown ? [] : [{ from, to }];
  const middle = from + splitOf(to - from);
  return size <= middle
    ? [...consistencyPath(size, { from, to: middle }, isKnown), { from: middle, to }]
    : [...consistencyPath(size, { from: middle, to }, false), { from, to: middle }];
}

/** Returns the largest power of two below a number of leaves. */
function splitOf(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1);
}
