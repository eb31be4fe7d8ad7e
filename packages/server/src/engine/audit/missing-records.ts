import type { ComparedLeaf } from '../../ports/signed-log.js';
import type { Store } from '../../ports/store.js';
import { type Removal, readRemovals } from './signed-removals.js';

/** Records of one chain that have a leaf but are not stored any more. */
interface MissingChain {
  chainId: string;
  /** null if no user has the chain any more. */
  userId: string | null;
  /** Consecutive numbers; `position` is that of the last leaf among them. */
  ranges: { from: number; to: number; position: number }[];
}

/** Collects leaves without a record, in the order of the log. Retention can make them many, but then they are consecutive. */
export class MissingRecords {
  readonly #chains = new Map<string, MissingChain>();

  get chains(): MissingChain[] {
    return [...this.#chains.values()];
  }

  add({ chainId, userId, seq, position }: ComparedLeaf): void {
    const chain = this.#chains.get(chainId) ?? { chainId, userId, ranges: [] };
    this.#chains.set(chainId, chain);
    const last = chain.ranges.at(-1);
    if (last?.to === seq - 1) Object.assign(last, { to: seq, position });
    else chain.ranges.push({ from: seq, to: seq, position });
  }
}

interface LogPlace {
  tenantId: string;
  logId: string;
  trustedKeys: readonly string[];
}

/**
 * Returns the places of records whose removal nobody signed, the first of each chain. Call it after the records were looked for: an
 * explanation is written together with the removal.
 */
export async function findUnexplained(
  store: Store,
  place: LogPlace,
  missing: readonly MissingChain[],
): Promise<string[]> {
  if (missing.length === 0) return [];
  const receipts = await removalsIn(store, place, '');
  const places: string[] = [];
  for (const { chainId, userId, ranges } of missing) {
    const cuts = userId === null || userId === '' ? [] : await removalsIn(store, place, userId);
    const explained = ends([...receipts, ...cuts], chainId);
    const first = ranges.find(({ to, position }) => to > explained.seq && position >= explained.position);
    if (first === undefined) continue;
    const owner = userId === null ? `chain=${chainId}` : `user=${userId || '-'}`;
    places.push(`${owner} seq=${Math.max(first.from, explained.seq + 1)}`);
  }
  return places;
}

/** Returns up to which number of the chain, and before which position of the log, records were removed on purpose. */
function ends(removals: readonly Removal[], chainId: string): { seq: number; position: number } {
  let [seq, position] = [0, 0];
  for (const removal of removals) {
    if ('size' in removal) position = Math.max(position, removal.size);
    if (!('chain' in removal) || removal.chain !== chainId) continue;
    seq = Math.max(seq, 'up_to' in removal ? removal.up_to : Number.POSITIVE_INFINITY);
  }
  return { seq, position };
}

async function removalsIn(
  store: Store,
  { tenantId, logId, trustedKeys }: LogPlace,
  userId: string,
): Promise<Removal[]> {
  const records = await store.inspect(tenantId, ({ signedLog }) => signedLog.removals(userId));
  const removals = await Promise.all(records.map((record) => readRemovals(record, tenantId, trustedKeys)));
  return removals.flat().filter((removal) => 'log' in removal && removal.log === logId);
}
