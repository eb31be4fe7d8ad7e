import { Problem } from '@memhall/core';
import type { ForeignMemory, ForeignSource } from '../../ports/foreign-memories.js';
import type { Memory } from '../../ports/memories.js';
import { scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { givenText } from '../memories/new-memory.js';
import type { Remembered } from '../memories/remember.js';
import { partitionOf, type Visibility } from '../memories/scope-partitions.js';
import type { Member } from '../one-memory/member.js';
import { rememberAny, writableGrant } from '../one-memory/remember-any.js';
import { readLong } from '../read-long.js';
import { checkForeignTask } from './check-foreign.js';
import { digestOfImport, toNewMemory } from './to-new-memory.js';

export const broughtOutcomes = ['new', 'changed', 'present', 'edited', 'held_back', 'refused', 'unstored'] as const;

/**
 * What becomes of a memory of another tool.
 * new, changed: it is stored, for the first time or because the tool changed it since.
 * present: it is there. edited: it was changed here since, and stays as it is here.
 * held_back: the scanner recognizes instructions to models. refused: it cannot be stored.
 * unstored: its session is off the record.
 */
export type BroughtOutcome = (typeof broughtOutcomes)[number];

export interface Brought {
  foreign: ForeignMemory;
  outcome: BroughtOutcome;
  /** Why it is held back or refused. Says nothing of the text. */
  reason?: string;
  /** Secrets are removed from its text. */
  hasSecrets: boolean;
}

interface BringIn {
  source: ForeignSource;
  /** Namespace to share the memories in; by default only their owner sees them. */
  namespace?: string | undefined;
  /** Otherwise nothing is stored, and the outcome is what it would be. */
  isApplied: boolean;
}

type Incoming = { foreign: ForeignMemory; input: ReturnType<typeof toNewMemory> };

/**
 * Brings memories of another tool in, with their times and authors and the trust of outside sources. May be repeated, also after it was
 * interrupted: what is there is not stored again, and what was changed here is not overwritten. Returns the results in order.
 */
export async function bringIn(
  engine: Engine,
  member: Member,
  { source, namespace, isApplied }: BringIn,
  batch: readonly ForeignMemory[],
): Promise<Brought[]> {
  const visibility: Visibility = namespace === undefined ? 'private' : { namespace };
  if (namespace !== undefined) writableGrant(member, namespace);
  const results = new Map<ForeignMemory, Omit<Brought, 'foreign'>>();
  const incoming: Incoming[] = [];
  for (const foreign of batch) {
    const input = toNewMemory(member, source, visibility, foreign);
    const fault = faultOf(input);
    if (fault === undefined) incoming.push({ foreign, input });
    else results.set(foreign, { outcome: 'refused', reason: fault, hasSecrets: false });
  }
  const clean = await check(engine, member, incoming, results);
  const known = await findKnown(engine, member, visibility, clean);
  const [added, changed]: [Incoming[], Incoming[]] = [[], []];
  for (const one of clean) {
    const outcome = compare(one, known);
    results.set(one.foreign, { outcome, hasSecrets: results.get(one.foreign)?.hasSecrets ?? false });
    if (outcome === 'new') added.push(one);
    if (outcome === 'changed') changed.push(withChoicesOf(known.get(keyOf(one.input)), one));
  }
  if (isApplied) {
    await store(engine, member, added, results, true);
    await store(engine, member, changed, results, false);
  }
  return batch.map((foreign) => ({ foreign, ...(results.get(foreign) as Omit<Brought, 'foreign'>) }));
}

function faultOf(input: Incoming['input']): string | undefined {
  try {
    givenText(input);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

/** Returns those that may be stored. */
async function check(
  engine: Engine,
  member: Member,
  incoming: readonly Incoming[],
  results: Map<ForeignMemory, Omit<Brought, 'foreign'>>,
): Promise<Incoming[]> {
  const also = await engine.tenants.alsoRedacted(scopeOf(member));
  const texts = incoming.map(({ input }) => input.content);
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  const checked = await readLong(engine, checkForeignTask, { texts, also }, size);
  return incoming.filter(({ foreign }, index) => {
    const { verdict, hasSecrets } = checked[index] ?? { verdict: undefined, hasSecrets: false };
    const outcome = verdict === undefined ? 'new' : 'held_back';
    results.set(foreign, { outcome, hasSecrets, ...(verdict && { reason: `${verdict.category}: ${verdict.rule}` }) });
    if (verdict !== undefined) engine.telemetry.countBlocked('write', verdict.category);
    return verdict === undefined;
  });
}

/** Returns what earlier imports stored, by kind and external id. */
async function findKnown(
  engine: Engine,
  member: Member,
  visibility: Visibility,
  incoming: readonly Incoming[],
): Promise<Map<string, Memory>> {
  const partition = partitionOf(member, visibility);
  const namespaces = typeof visibility === 'object' ? [visibility.namespace] : [];
  const kinds = [...new Set(incoming.map(({ input }) => input.kind))];
  const now = engine.clock.now();
  const found = await engine.store.read(scopeOf({ ...member, namespaces }), (tables) =>
    Promise.all(
      kinds.map((kind) => {
        const ids = incoming.flatMap(({ input }) => (input.kind === kind ? [input.externalId] : []));
        return tables.memories.findByExternalId(partition, kind, ids);
      }),
    ),
  );
  const alive = found.flat().filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  return new Map(alive.map((memory) => [keyOf(memory), memory]));
}

/** What the user has set here stays. */
function withChoicesOf(memory: Memory | undefined, { foreign, input }: Incoming): Incoming {
  if (memory === undefined) return { foreign, input };
  const tags = [...new Set([...(input.tags ?? []), ...memory.tags])];
  return { foreign, input: { ...input, tags, isPinned: memory.isPinned, expiresAt: memory.expiresAt ?? undefined } };
}

function keyOf({ kind, externalId }: { kind: string; externalId: string | null }): string {
  return `${kind}\n${externalId}`;
}

function compare({ input }: Incoming, known: ReadonlyMap<string, Memory>): BroughtOutcome {
  const memory = known.get(keyOf(input));
  if (memory === undefined) return 'new';
  const digest = digestOfImport(memory.metadata);
  if (digest === digestOfImport(input.metadata ?? {})) return 'present';
  return digest === undefined || memory.surface !== 'import' ? 'edited' : 'changed';
}

/** Stores memories, all or none. Skips what another process has stored in the meantime. */
async function store(
  engine: Engine,
  member: Member,
  incoming: readonly Incoming[],
  results: Map<ForeignMemory, Omit<Brought, 'foreign'>>,
  keepsExisting: boolean,
): Promise<void> {
  if (incoming.length === 0) return;
  const inputs = incoming.map(({ input }) => input);
  const remembered = await rememberAny(engine, member, inputs, null, { keepsExisting });
  for (const [index, { foreign }] of incoming.entries()) {
    const outcome = outcomeOf(remembered[index], keepsExisting);
    results.set(foreign, { outcome, hasSecrets: results.get(foreign)?.hasSecrets ?? false });
  }
}

function outcomeOf(remembered: Remembered | undefined, keepsExisting: boolean): BroughtOutcome {
  if (remembered?.outcome === 'unstored') return 'unstored';
  if (remembered?.outcome === 'unchanged') return 'present';
  return keepsExisting ? 'new' : 'changed';
}
