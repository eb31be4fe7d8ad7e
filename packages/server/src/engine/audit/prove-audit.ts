import { type ConsistencyProof, findConsistencyFault, findProofFault, Problem, type RecordProof } from '@memhall/core';
import type { SignedLog } from '../../ports/signed-log.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { consistencyPath, hashIn, inclusionPath, joinParts, partsOf } from './merkle-tree.js';

type Prover = Pick<Engine, 'store' | 'auditKey'>;

/**
 * Proves that a record of a user is in the signed log. Throws NOT_FOUND if there is no such record, or no head that covers it yet, and
 * CONFLICT if what is stored cannot be proven: its content was erased, or it was tampered with.
 */
export async function proveRecord(
  { store, auditKey }: Prover,
  tenantId: string,
  { userId, seq }: { userId: string; seq: number },
): Promise<RecordProof> {
  const proof = await store.inspect(tenantId, async (tables) => {
    const [before, own] = await neighbours(tables, userId, seq);
    const log = (await tables.signedLog.logs()).find(({ isOpen }) => isOpen);
    const leaf = log && (await tables.signedLog.leafOf(log.logId, userId, seq));
    const head = log && leaf && (await tables.signedLog.headCovering(log.logId, leaf.position + 1));
    if (leaf === undefined || head === undefined) {
      throw new Problem(
        'NOT_FOUND',
        `No signed head covers record ${seq} yet. Wait for the next one, or run \`memhall audit heads --sign-now\`.`,
      );
    }
    const ranges = inclusionPath(leaf.position, { from: 0, to: head.size });
    const path = await hashesOf(tables.signedLog, head.log, ranges);
    const place = { position: leaf.position, path, chain: leaf.chainId, seq };
    return { head, ...place, previous: before.toString('hex'), record: own.record };
  });
  if ((await findProofFault(proof, auditKey.trustedKeys)) === undefined) return proof;
  const isErased = JSON.parse(proof.record).erased_by !== undefined;
  throw new Problem(
    'CONFLICT',
    isErased
      ? `The content of record ${seq} was erased, so its text can no longer be proven.`
      : `Record ${seq} is not as it was signed. Run \`memhall audit verify --tenant ${tenantId}\`.`,
  );
}

/** Returns the hash before a record, and the record. */
async function neighbours({ audit }: Tables, userId: string, seq: number) {
  const head = await audit.head(userId);
  const [first, second] = await audit.records(userId, { after: BigInt(seq) - 2n, limit: 2 });
  const own = first?.seq === BigInt(seq) ? first : second;
  if (own?.seq !== BigInt(seq)) {
    throw new Problem(
      'NOT_FOUND',
      `The audit log has no record ${seq} of this user. It may have been removed by retention.`,
    );
  }
  if (own !== first && first !== undefined) return [first.hash, own] as const;
  return [head?.cut?.hash ?? Buffer.alloc(32), own] as const;
}

/** Proves that the log of one signed head begins with that of an earlier one. Throws NOT_FOUND if there is no such head. */
export async function proveConsistency(
  { store, auditKey }: Prover,
  tenantId: string,
  sizes: { first: number; second?: number | undefined },
): Promise<ConsistencyProof> {
  const proof = await store.inspect(tenantId, async ({ signedLog }) => {
    const log = (await signedLog.logs()).find(({ isOpen }) => isOpen);
    const first = log && (await signedLog.headCovering(log.logId, sizes.first));
    const second =
      log &&
      (sizes.second === undefined
        ? await signedLog.latestHead(log.logId)
        : await signedLog.headCovering(log.logId, sizes.second));
    if (first?.size !== sizes.first || second?.size !== (sizes.second ?? second?.size) || second === undefined) {
      throw new Problem(
        'NOT_FOUND',
        'The log has no signed heads of these sizes. List them with `memhall audit heads`.',
      );
    }
    if (first.size > second.size) throw new Problem('INVALID_REQUEST', 'The first head must not be larger.');
    const ranges = consistencyPath(first.size, { from: 0, to: second.size });
    return { first, second, path: await hashesOf(signedLog, first.log, ranges) };
  });
  if ((await findConsistencyFault(proof, auditKey.trustedKeys)) === undefined) return proof;
  throw new Problem('CONFLICT', `The log is not as it was signed. Run \`memhall audit verify --tenant ${tenantId}\`.`);
}

async function hashesOf(
  log: SignedLog,
  logId: string,
  ranges: readonly { from: number; to: number }[],
): Promise<string[]> {
  const parts = ranges.map(partsOf);
  const positions = parts.flat().map(({ end }) => end - 1);
  const leaves = new Map((await log.leavesAt(logId, positions)).map((leaf) => [leaf.position, leaf]));
  return parts.map((subtrees) => {
    const hashes = subtrees.map(({ end, level }) => {
      const leaf = leaves.get(end - 1);
      return leaf === undefined ? Buffer.alloc(32) : hashIn(leaf, level);
    });
    return joinParts(hashes).toString('hex');
  });
}
