import { headStatement, isSignedHead, type SignedHead } from '@memhall/core';
import type { AuditLogState } from '../../ports/signed-log.js';
import type { Store } from '../../ports/store.js';
import type { ErasedRecord } from './erased-records.js';
import { headsOf } from './list-heads.js';
import { GrowingTree, leafHash } from './merkle-tree.js';
import { findUnexplained, MissingRecords } from './missing-records.js';
import { isErasureSigned } from './signed-removals.js';

const pageSize = 2000;

interface LogFault {
  tenantId: string;
  /** What it was found in: a log and the size of a head, or a chain (`user=…`, or `chain=…` if nobody has it), with a number. */
  place: string;
  /**
   * untrusted: a head is not signed by a trusted key. rewritten: leaves or records are not those that were signed. shortened: the log
   * has fewer leaves than a head covers. unknown: the database has no such log, or lacks a head of it. removed: signed records are
   * gone, and no signed record says why. erased: the content of a record is gone, and no signed record says why.
   */
  kind: 'untrusted' | 'rewritten' | 'shortened' | 'unknown' | 'removed' | 'erased';
}

interface LogsReport {
  /** Heads that were checked: those in the database and those given. */
  heads: number;
  /** Those among them whose key is not trusted here, and that are only consistent in themselves. */
  unchecked: number;
  /** Leaves under these heads: the audit records that are proven if there is no fault. */
  signed: number;
  faults: LogFault[];
}

interface LogsInput {
  tenantId?: string | undefined;
  /** Heads from outside the database. */
  given: readonly SignedHead[];
  /** If empty, no signature can be checked. */
  trustedKeys: readonly string[];
  erased: readonly ErasedRecord[];
}

/**
 * Compares the signed logs with the heads and with the audit records: proves that the records under each head are the same now, apart
 * from those whose removal was signed. Safe to run concurrently with writes, retention, erasures and signing.
 */
export async function verifyLogs(
  store: Store,
  { tenantId, given, trustedKeys, erased }: LogsInput,
): Promise<LogsReport> {
  const known = tenantId === undefined ? await store.loggedTenants() : [tenantId];
  const tenants = new Set([...known, ...given.map(({ tenant }) => tenant)]);
  const report: LogsReport = { heads: 0, unchecked: 0, signed: 0, faults: [] };
  for (const tenant of [...tenants].sort()) {
    if (tenantId !== undefined && tenant !== tenantId) continue;
    const ofTenant = {
      given: given.filter((head) => head.tenant === tenant),
      erased: erased.filter((record) => record.tenantId === tenant),
      trustedKeys,
    };
    const logs = await store.inspect(tenant, ({ signedLog }) => signedLog.logs());
    for (const log of logs) await verifyLog(store, tenant, log, ofTenant, report);
    const strange = ofTenant.given.filter(({ log }) => !logs.some(({ logId }) => logId === log));
    report.heads += strange.length;
    report.faults.push(
      ...strange.map((head) => ({ tenantId: tenant, place: placeOf(head), kind: 'unknown' as const })),
    );
  }
  return report;
}

type TenantInput = Required<Omit<LogsInput, 'tenantId'>>;

async function verifyLog(
  store: Store,
  tenantId: string,
  { logId, isOpen }: AuditLogState,
  input: TenantInput,
  report: LogsReport,
): Promise<void> {
  const addFault = (place: string, kind: LogFault['kind']) => report.faults.push({ tenantId, place, kind });
  // Leaves are read after the heads that cover them.
  const heads = await collectHeads(store, tenantId, logId, input, addFault);
  report.heads += heads.length;
  // An imported log is signed by the server it comes from. Whose key that is can only be known from outside.
  const isGiven = (key: string) => input.given.some((head) => head.log === logId && head.key === key);
  const isTolerated = ({ key }: SignedHead) =>
    !input.trustedKeys.includes(key) && (input.trustedKeys.length === 0 || (!isOpen && !isGiven(key)));
  const unchecked = heads.filter(isTolerated);
  report.unchecked += unchecked.length;
  const trustedKeys = [...input.trustedKeys, ...unchecked.map(({ key }) => key)];
  const sound: SignedHead[] = [];
  for (const head of heads) {
    if (await isSignedHead(head, trustedKeys)) sound.push(head);
    else addFault(placeOf(head), 'untrusted');
  }
  const walk = await walkLeaves(store, tenantId, logId, new Set(sound.map(({ size }) => size)));
  for (const head of sound) {
    const root = walk.roots.get(head.size);
    if (root !== head.root) addFault(placeOf(head), root === undefined ? 'shortened' : 'rewritten');
  }
  for (const place of walk.rewritten) addFault(place, 'rewritten');
  const unexplained = await findUnexplained(store, { tenantId, logId, trustedKeys }, walk.missing);
  for (const place of unexplained) addFault(place, 'removed');
  for (const record of input.erased) {
    const isUnsigned = await isErasureUnsigned(store, logId, record, sound, trustedKeys);
    if (isUnsigned) addFault(`user=${record.userId || '-'} seq=${record.seq}`, 'erased');
  }
  report.signed += walk.size;
}

/** Returns the heads of a log in the database and those given, each once. The database must have the given ones too. */
async function collectHeads(
  store: Store,
  tenantId: string,
  logId: string,
  { given }: TenantInput,
  addFault: (place: string, kind: LogFault['kind']) => void,
): Promise<SignedHead[]> {
  const heads = new Map<string, SignedHead>();
  for await (const head of headsOf(store, tenantId, logId)) heads.set(headStatement(head) + head.signature, head);
  const outside = given.filter(({ log }) => log === logId);
  const unknown = outside.filter((head) => !heads.has(headStatement(head) + head.signature));
  for (const head of unknown) {
    addFault(placeOf(head), 'unknown');
    heads.set(headStatement(head) + head.signature, head);
  }
  return [...heads.values()];
}

/** Builds the tree again and returns its roots at the given sizes, as far as there are leaves without a gap. */
async function walkLeaves(store: Store, tenantId: string, logId: string, sizes: ReadonlySet<number>) {
  const end = Math.max(0, ...sizes);
  const tree = new GrowingTree();
  const roots = new Map<number, string>();
  const missing = new MissingRecords();
  /** The first changed record of each chain. */
  const rewritten = new Map<string, string>();
  for (let isWhole = true; isWhole && tree.size < end; ) {
    const range = { from: tree.size, limit: Math.min(pageSize, end - tree.size) };
    const page = await store.inspect(tenantId, ({ signedLog }) => signedLog.compare(logId, range));
    for (const leaf of page) {
      if (leaf.position !== tree.size) break;
      tree.push(leafHash(leaf));
      if (sizes.has(tree.size)) roots.set(tree.size, tree.root.toString('hex'));
      const { chainId, userId, seq, presentHash } = leaf;
      if (presentHash === null) missing.add(leaf);
      else if (!presentHash.equals(leaf.hash) && !rewritten.has(chainId)) {
        rewritten.set(chainId, `user=${userId || '-'} seq=${seq}`);
      }
    }
    isWhole = page.length > 0 && tree.size === range.from + page.length;
  }
  return { size: tree.size, roots, missing: missing.chains, rewritten: [...rewritten.values()] };
}

/**
 * An explanation without a signature counts only if no head covers the record and not its explanation: then the content was erased
 * before anything about it was signed.
 */
async function isErasureUnsigned(
  store: Store,
  logId: string,
  { tenantId, userId, seq, by, record }: ErasedRecord,
  heads: readonly SignedHead[],
  trustedKeys: readonly string[],
): Promise<boolean> {
  const [erased, explaining] = await store.inspect(tenantId, ({ signedLog }) =>
    Promise.all([signedLog.leafOf(logId, userId, seq), signedLog.leafOf(logId, userId, by)]),
  );
  const until = explaining?.position ?? Number.POSITIVE_INFINITY;
  const isBetween = erased !== undefined && heads.some(({ size }) => size > erased.position && size <= until);
  return isBetween && !(await isErasureSigned(record, tenantId, trustedKeys));
}

function placeOf({ log, size }: SignedHead): string {
  return `log=${log} size=${size}`;
}
