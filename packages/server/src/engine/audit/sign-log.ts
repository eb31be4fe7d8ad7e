import { randomBytes } from 'node:crypto';
import { headStatement, isSignedHead, Problem, type SignedHead } from '@memhall/core';
import type { SignedLog, UnloggedRecord } from '../../ports/signed-log.js';
import type { Engine } from '../engine.js';
import { maintainTenant } from './maintain.js';
import { GrowingTree, hashIn, joinParts, leafHash, partsOf } from './merkle-tree.js';

/** Appended in one transaction. Erasures of the tenant wait for it; writes do not. */
const leavesAtATime = 2000;

/** Short, because every leaf has two of them, and its indexes too. */
function newId(): string {
  return randomBytes(8).toString('hex');
}

type Signer = Pick<Engine, 'store' | 'clock' | 'auditKey'>;

interface Signed {
  /** The latest head; undefined if the tenant has no audit records. */
  head: SignedHead | undefined;
  isNew: boolean;
}

/**
 * Brings every audit record of a tenant into its log and signs the root, if there are new ones. Throws CONFLICT if the log does not
 * end as it was last signed: what was tampered with must not be signed again. `newLog` closes the log and begins another.
 */
export async function signLog(
  engine: Signer,
  tenantId: string,
  { newLog = false, signal }: { newLog?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Signed> {
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    const signed = await maintainTenant(engine, tenantId, async ({ signedLog }) => {
      signedLog.lock();
      return appendAndSign(engine, tenantId, signedLog, newLog && isFirst);
    });
    if (signed !== 'more') return signed;
  }
}

/** A head is signed only if it covers everything: no head may lie between a record and one that explains its removal. */
async function appendAndSign(
  { auditKey, clock }: Signer,
  tenantId: string,
  log: SignedLog,
  newLog: boolean,
): Promise<Signed | 'more'> {
  const open = newLog ? undefined : (await log.logs()).find(({ isOpen }) => isOpen);
  const logId = open?.logId ?? newId();
  const last = open && (await log.latestHead(logId));
  if (last !== undefined) await checkLast(log, last, auditKey.trustedKeys);
  const found = await log.unlogged(logId, leavesAtATime + 1);
  const size = open?.size ?? 0;
  if (found.length === 0 && size === (last?.size ?? 0)) return { head: last, isNew: false };
  const now = clock.now();
  if (open === undefined) log.open(logId, now);
  const parts = await partHashes(log, logId, size);
  if (parts === undefined) throw notAsSigned(tenantId);
  const tree = new GrowingTree(size, parts);
  const leaves = toLeaves(tree, found.slice(0, leavesAtATime));
  if (leaves.length > 0) log.append(logId, leaves, now);
  if (found.length > leavesAtATime) return 'more';
  const unsigned = { tenant: tenantId, log: logId, size: tree.size, root: tree.root.toString('hex') };
  const statement = { ...unsigned, at: now.toISOString() };
  const head = { ...statement, key: auditKey.publicKey, signature: auditKey.sign(headStatement(statement)) };
  log.addHead(head);
  return { head, isNew: true };
}

async function checkLast(log: SignedLog, last: SignedHead, trustedKeys: readonly string[]): Promise<void> {
  if (!trustedKeys.includes(last.key)) {
    throw new Problem(
      'CONFLICT',
      `The audit log of tenant ${last.tenant} is signed with another key, ${last.key}. Give all nodes the same MEMHALL_AUDIT_KEY. If it replaces that key, list that key in MEMHALL_AUDIT_KEY_PREVIOUS. If that key is lost, run \`memhall audit heads --tenant ${last.tenant} --new-log\`.`,
    );
  }
  const parts = await partHashes(log, last.log, last.size);
  const isUnchanged = parts !== undefined && joinParts(parts).toString('hex') === last.root;
  if (isUnchanged && (await isSignedHead(last, trustedKeys))) return;
  throw notAsSigned(last.tenant);
}

function notAsSigned(tenantId: string): Problem {
  return new Problem(
    'CONFLICT',
    `The audit log of tenant ${tenantId} is not as it was signed last, so it is not signed again. Run \`memhall audit verify --tenant ${tenantId}\`.`,
  );
}

/** Returns the hashes of the perfect subtrees of a log's first leaves; undefined if leaves are missing. */
async function partHashes(log: SignedLog, logId: string, size: number): Promise<Buffer[] | undefined> {
  const parts = partsOf({ from: 0, to: size });
  if (parts.length === 0) return [];
  const leaves = await log.leavesAt(
    logId,
    parts.map(({ end }) => end - 1),
  );
  const byPosition = new Map(leaves.map((leaf) => [leaf.position, leaf]));
  const hashes = parts.flatMap(({ end, level }) => {
    const leaf = byPosition.get(end - 1);
    return leaf === undefined ? [] : hashIn(leaf, level);
  });
  return hashes.length === parts.length ? hashes : undefined;
}

function toLeaves(tree: GrowingTree, records: readonly UnloggedRecord[]) {
  const chains = new Map<string, string>();
  return records.map(({ userId, chainId: known, seq, hash }) => {
    const chainId = known ?? chains.get(userId) ?? newId();
    chains.set(userId, chainId);
    const position = tree.size;
    const nodes = Buffer.concat(tree.push(leafHash({ chainId, seq, hash })));
    return { userId, position, chainId, seq, hash, nodes };
  });
}
