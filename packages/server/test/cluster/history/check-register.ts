import { type Fault, type RegisterOperation, settledMs } from './operation.js';

/** States of the search, after which it gives up. */
const mostStates = 40_000;

interface Search {
  operations: readonly RegisterOperation[];
  /** Pairs of placed operations and value that lead nowhere. */
  seen: Set<string>;
  /** The longest order that was found. */
  best: { placed: number; value: string | null; open: readonly RegisterOperation[] };
}

/**
 * Looks for an order of the operations in which each answer is right and each effect lies between start and end: the search of Wing and
 * Gong with the memory of Lowe. Of operations whose outcome is unknown, any may be left out.
 */
export function checkRegister(history: readonly RegisterOperation[]): Fault[] {
  const operations = withoutUnseen(history)
    .filter(({ action, outcome }) => action !== 'read' || outcome === 'done')
    .sort((one, other) => settledMs(one) - settledMs(other) || one.startedMs - other.startedMs);
  const search: Search = { operations, seen: new Set(), best: { placed: -1, value: null, open: [] } };
  const found = place(search);
  if (found === 'orderly') return [];
  const object = history[0]?.object ?? '';
  if (found === 'undecided') return [{ kind: 'undecided', object, detail: `${mostStates} states were not enough` }];
  return [{ ...explain(search.best, operations), object }];
}

/**
 * Leaves out writes of unknown outcome whose value nobody saw: if an order exists with them, it exists without. Not if a compare-and-set
 * was refused, which such a value may explain.
 */
function withoutUnseen(history: readonly RegisterOperation[]): RegisterOperation[] {
  if (history.some(({ outcome }) => outcome === 'refused')) return [...history];
  const seen = new Set<string | null>();
  for (const one of history) {
    if (one.action === 'read' && one.value !== undefined) seen.add(one.value);
    if (one.action === 'swap') seen.add(one.expected);
  }
  return history.filter((one) => one.outcome !== 'unknown' || (one.action !== 'read' && seen.has(one.value)));
}

interface State {
  value: string | null;
  placed: Uint8Array;
  /** The next operation to try; operations are in the order of their ends. */
  next: number;
}

function place(search: Search): 'orderly' | 'impossible' | 'undecided' {
  const { operations, seen } = search;
  const stack: State[] = [{ value: null, placed: new Uint8Array(operations.length), next: 0 }];
  for (let state = stack.at(-1); state !== undefined; state = stack.at(-1)) {
    const open = operations.filter((_, index) => state.placed[index] === 0);
    if (open.every(({ outcome }) => outcome === 'unknown')) return 'orderly';
    if (seen.size > mostStates) return 'undecided';
    note(search, state, open);
    const following = advance(search, state, Math.min(...open.map(settledMs)));
    if (following === undefined) stack.pop();
    else stack.push(following);
  }
  return 'impossible';
}

function note(search: Search, { value }: State, open: readonly RegisterOperation[]): void {
  const placed = search.operations.length - open.length;
  if (placed > search.best.placed) search.best = { placed, value, open };
}

/** Returns the next state that can follow and was not seen before. */
function advance({ operations, seen }: Search, state: State, firstEnd: number): State | undefined {
  while (state.next < operations.length) {
    const index = state.next++;
    const operation = operations[index];
    if (operation === undefined || state.placed[index] === 1 || operation.startedMs > firstEnd) continue;
    const value = after(operation, state.value);
    if (value === undefined) continue;
    const placed = Uint8Array.from(state.placed);
    placed[index] = 1;
    const key = `${Buffer.from(placed).toString('latin1')}\n${value}`;
    if (seen.has(key)) continue;
    seen.add(key);
    return { value, placed, next: 0 };
  }
  return undefined;
}

/** Returns the value after an operation; undefined if its answer is wrong at this place. */
function after(operation: RegisterOperation, value: string | null): string | null | undefined {
  if (operation.action === 'read') return operation.value === value ? value : undefined;
  if (operation.action === 'write') return operation.outcome === 'refused' ? value : operation.value;
  const fits = operation.expected === value;
  if (operation.outcome === 'refused') return fits ? undefined : value;
  return fits ? operation.value : undefined;
}

/** Names what cannot follow the longest order. Its kind is a guess: one fault can look like another. */
function explain({ value, open }: Search['best'], operations: readonly RegisterOperation[]): Omit<Fault, 'object'> {
  const held = `while the register must hold ${JSON.stringify(value)}`;
  const stuck = open.find(({ outcome }) => outcome !== 'unknown');
  if (stuck === undefined) return { kind: 'lost write', detail: held };
  const { client, action, id, outcome, startedMs } = stuck;
  const told = stuck.action === 'swap' ? stuck.expected : stuck.value;
  const detail = `${client}: ${action} ${JSON.stringify(told)} (${id}, ${outcome}) at ${Math.round(startedMs)}, ${held}`;
  if (stuck.action !== 'read') return { kind: 'lost write', detail };
  const isKnown = told === null || operations.some((one) => one.action !== 'read' && one.value === told);
  if (!isKnown) return { kind: 'foreign data', detail };
  const reads = operations.filter((one) => one.action === 'read' && one.value === value);
  if (reads.some((one) => one.startedMs > startedMs)) return { kind: 'stale read', detail };
  return { kind: reads.some((one) => one.endedMs < startedMs) ? 'double write' : 'lost write', detail };
}
