import { createHash } from 'node:crypto';
import { isConsistent, rootOfInclusion } from '@memhall/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { consistencyPath, GrowingTree, hashIn, inclusionPath, joinParts, leafHash, partsOf } from './merkle-tree.js';

function toLeaf(seq: number) {
  return { chainId: 'c', seq, hash: createHash('sha256').update(`${seq}`).digest() };
}

/** Grows a tree as the signer does: with the nodes that each leaf completes. */
function grow(size: number) {
  const tree = new GrowingTree();
  const rows = Array.from({ length: size }, (_, seq) => {
    const leaf = toLeaf(seq);
    return { ...leaf, nodes: Buffer.concat(tree.push(leafHash(leaf))) };
  });
  const hashOf = (range: { from: number; to: number }) =>
    joinParts(
      partsOf(range).map(({ end, level }) =>
        hashIn(rows[end - 1] as { nodes: Buffer } & ReturnType<typeof toLeaf>, level),
      ),
    ).toString('hex');
  return { tree, rows, hashOf };
}

/** The leaves and roots with which implementations of RFC 6962 are commonly tested. */
it('has the roots that other implementations have', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const tree = new GrowingTree();
  const roots = leaves.map((leaf) => {
    tree.push(
      createHash('sha256')
        .update(Buffer.from(`00${leaf}`, 'hex'))
        .digest(),
    );
    return tree.root.toString('hex');
  });
  expect(roots).toEqual([
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
});

it('continues from its parts as if it had never stopped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 80 }), (first, more) => {
      const { rows } = grow(first);
      const peaks = partsOf({ from: 0, to: first }).map(({ end, level }) =>
        hashIn(rows[end - 1] as (typeof rows)[number], level),
      );
      const tree = new GrowingTree(first, peaks);
      for (let seq = first; seq < first + more; seq++) tree.push(leafHash(toLeaf(seq)));
      expect([tree.size, tree.root]).toEqual([first + more, grow(first + more).tree.root]);
    }),
  );
});

it('proves every leaf, and every earlier state, to the stand-alone verifier', async () => {
  const sizes = fc.integer({ min: 1, max: 130 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, one, other) => {
      const { rows, tree, hashOf } = grow(size);
      const root = tree.root.toString('hex');
      const position = one % size;
      const leaf = leafHash(rows[position] as (typeof rows)[number]).toString('hex');
      const path = inclusionPath(position, { from: 0, to: size }).map(hashOf);
      expect(await rootOfInclusion({ leaf, position, size, path })).toBe(root);
      const first = 1 + (other % size);
      const earlier = { size: first, root: hashOf({ from: 0, to: first }) };
      expect(earlier.root).toBe(grow(first).tree.root.toString('hex'));
      const way = consistencyPath(first, { from: 0, to: size }).map(hashOf);
      expect(await isConsistent(earlier, { size, root }, way)).toBe(true);
    }),
  );
});
