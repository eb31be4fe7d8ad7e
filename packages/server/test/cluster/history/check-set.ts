import { type Fault, type SetOperation, settledMs } from './operation.js';

interface Life {
  added: SetOperation[];
  removed: SetOperation[];
}

type SetRead = SetOperation & { action: 'read'; elements: string[] };

/** Checks what was read against what was added and removed before and meanwhile. Elements are added once and not again after a removal. */
export function checkSet(history: readonly SetOperation[]): Fault[] {
  const object = history[0]?.object ?? '';
  const lives = livesOf(history);
  const reads = history
    .filter((one): one is SetRead => one.action === 'read' && one.outcome === 'done' && one.elements !== undefined)
    .sort((one, other) => one.startedMs - other.startedMs);
  const faults: Omit<Fault, 'object'>[] = [];
  for (const read of reads) {
    faults.push(...findDoubles(read), ...findWrong(read, lives));
    if (read.isWhole) faults.push(...findMissing(read, lives, reads));
  }
  return faults.map((fault) => ({ ...fault, object }));
}

function livesOf(history: readonly SetOperation[]): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const one of history) {
    if (one.action === 'read' || one.outcome === 'refused') continue;
    const life = lives.get(one.element) ?? { added: [], removed: [] };
    lives.set(one.element, life);
    (one.action === 'add' ? life.added : life.removed).push(one);
  }
  return lives;
}

function findDoubles(read: SetRead): Omit<Fault, 'object'>[] {
  const doubles = new Set(read.elements.filter((element, index) => read.elements.indexOf(element) !== index));
  return [...doubles].map((element) => ({ kind: 'double write', detail: `${element} is there twice: ${at(read)}` }));
}

/** Finds elements that nobody had added yet, and such as were removed before. */
function findWrong(read: SetRead, lives: ReadonlyMap<string, Life>): Omit<Fault, 'object'>[] {
  return read.elements.flatMap((element): Omit<Fault, 'object'>[] => {
    const { added = [], removed = [] } = lives.get(element) ?? {};
    if (!added.some(({ startedMs }) => startedMs <= read.endedMs)) {
      return [{ kind: 'foreign data', detail: `nobody had added ${element}: ${at(read)}` }];
    }
    if (!removed.some((one) => settledMs(one) < read.startedMs)) return [];
    return [{ kind: 'stale read', detail: `${element} had been removed: ${at(read)}` }];
  });
}

/** Finds elements that had been added, or had been read, before this read began. */
function findMissing(
  read: SetRead,
  lives: ReadonlyMap<string, Life>,
  reads: readonly SetRead[],
): Omit<Fault, 'object'>[] {
  const there = new Set(read.elements);
  const faults: Omit<Fault, 'object'>[] = [];
  for (const [element, { added, removed }] of lives) {
    if (there.has(element) || removed.some(({ startedMs }) => startedMs <= read.endedMs)) continue;
    const shows = (one: SetRead) => one.elements.includes(element);
    const isSettled = added.some((one) => settledMs(one) < read.startedMs);
    if (!isSettled && !reads.some((one) => one.endedMs < read.startedMs && shows(one))) continue;
    const returns = reads.some((one) => one.startedMs > read.endedMs && shows(one));
    faults.push({ kind: returns ? 'stale read' : 'lost write', detail: `${element} is missing: ${at(read)}` });
  }
  return faults;
}

function at({ client, id, startedMs }: SetRead): string {
  return `read by ${client} (${id}) at ${Math.round(startedMs)}`;
}
