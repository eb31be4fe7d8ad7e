import { type Fault, type ListOperation, settledMs } from './operation.js';

type Append = ListOperation & { action: 'append' };
type ListRead = ListOperation & { action: 'read'; entries: string[] };

/**
 * Checks a list to which entries are only appended. The last read counts as the list; the ones before must be beginnings of it. Entries
 * that no operation of the history appended are others' business.
 */
export function checkList(history: readonly ListOperation[]): Fault[] {
  const object = history[0]?.object ?? '';
  const reads = history
    .filter((one): one is ListRead => one.action === 'read' && one.outcome === 'done' && one.entries !== undefined)
    .sort((one, other) => one.startedMs - other.startedMs);
  const last = reads.at(-1);
  if (last === undefined) return [{ kind: 'undecided', object, detail: 'nobody read the list' }];
  const appends = history.filter((one): one is Append => one.action === 'append');
  const faults = [
    ...findDoubles(last),
    ...findRefused(last, appends),
    ...findReordered(last, appends),
    ...reads.flatMap((read) => [...findUnlike(read, last), ...findMissing(read, last, appends)]),
  ];
  return faults.map((fault) => ({ ...fault, object }));
}

type Found = Omit<Fault, 'object'>[];

function findDoubles({ entries }: ListRead): Found {
  const doubles = new Set(entries.filter((entry, index) => entries.indexOf(entry) !== index));
  return [...doubles].map((entry) => ({ kind: 'double write', detail: `${entry} is there twice` }));
}

function findRefused({ entries }: ListRead, appends: readonly Append[]): Found {
  const there = new Set(entries);
  return appends
    .filter(({ outcome, entry }) => outcome === 'refused' && there.has(entry))
    .map(({ entry, client }) => ({ kind: 'double write', detail: `${entry} is there, but ${client} was refused` }));
}

/** What ended before something else began comes first. */
function findReordered({ entries }: ListRead, appends: readonly Append[]): Found {
  const places = new Map(entries.map((entry, index) => [entry, index]));
  const placed = appends
    .filter(({ entry }) => places.has(entry))
    .sort((one, other) => (places.get(one.entry) ?? 0) - (places.get(other.entry) ?? 0));
  const faults: Found = [];
  let latest: Append | undefined;
  for (const one of placed) {
    if (latest !== undefined && settledMs(one) < latest.startedMs) {
      faults.push({ kind: 'wrong order', detail: `${one.entry} comes after ${latest.entry}, which began later` });
    }
    if (latest === undefined || one.startedMs > latest.startedMs) latest = one;
  }
  return faults;
}

function findUnlike(read: ListRead, last: ListRead): Found {
  const place = read.entries.findIndex((entry, index) => last.entries[index] !== entry);
  if (place < 0) return [];
  const [then, now] = [read.entries[place], last.entries[place] ?? 'nothing'];
  const detail = `entry ${place} was ${then} for ${read.client} (${read.id}) and is ${now}`;
  return [{ kind: last.entries.length < read.entries.length ? 'lost write' : 'wrong order', detail }];
}

function findMissing(read: ListRead, last: ListRead, appends: readonly Append[]): Found {
  const [there, later] = [new Set(read.entries), new Set(last.entries)];
  return appends
    .filter((one) => settledMs(one) < read.startedMs && one.outcome === 'done' && !there.has(one.entry))
    .map(({ entry }) => ({
      kind: later.has(entry) ? 'stale read' : 'lost write',
      detail: `${entry} is missing for ${read.client} (${read.id}) at ${Math.round(read.startedMs)}`,
    }));
}
