import { diffArrays } from 'diff';

export interface Merged {
  text: string;
  /** Whether the text has marks around what both sides changed. */
  hasConflicts: boolean;
}

/** Lines of the text before that one side replaced. */
interface Hunk {
  from: number;
  /** Exclusive. */
  to: number;
  lines: readonly string[];
}

const marks = [/^<{7} /m, /^>{7} /m];
const slowestMs = 5000;

/** Merges two texts that were made from the same one, line by line. Conflicts show what was here, before, and in Memhall. */
export function mergeTexts(here: string, before: string, there: string): Merged {
  const base = before.split('\n');
  const [ours, theirs] = [hunksOf(base, here.split('\n')), hunksOf(base, there.split('\n'))];
  const merged: string[] = [];
  let hasConflicts = false;
  let at = 0;
  for (const region of regionsOf([...ours, ...theirs])) {
    merged.push(...base.slice(at, region.from));
    at = region.to;
    const [mine, yours] = [linesIn(base, region, ours), linesIn(base, region, theirs)];
    const old = base.slice(region.from, region.to);
    if (isSame(mine, yours) || isSame(yours, old)) merged.push(...mine);
    else if (isSame(mine, old)) merged.push(...yours);
    else {
      hasConflicts = true;
      merged.push('<<<<<<< here', ...mine, '||||||| before', ...old, '=======', ...yours, '>>>>>>> in Memhall');
    }
  }
  merged.push(...base.slice(at));
  return { text: merged.join('\n'), hasConflicts };
}

/** Returns whether a text still has the marks of a conflict. */
export function hasMarks(text: string): boolean {
  return marks.every((mark) => mark.test(text));
}

/** Texts that take too long to compare count as different throughout. */
function hunksOf(base: readonly string[], lines: readonly string[]): Hunk[] {
  const changes = diffArrays([...base], [...lines], { timeout: slowestMs });
  if (changes === undefined) return [{ from: 0, to: base.length, lines }];
  const hunks: Hunk[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const last = hunks.at(-1);
    const open = last?.to === at ? last : undefined;
    if (added || removed) {
      const hunk = { from: open?.from ?? at, to: at + (removed ? value.length : 0) };
      const made = { ...hunk, lines: [...(open?.lines ?? []), ...(added ? value : [])] };
      hunks.splice(open === undefined ? hunks.length : -1, 1, made);
    }
    if (!added) at += value.length;
  }
  return hunks;
}

/** Joins hunks that overlap or touch. */
function regionsOf(hunks: readonly Hunk[]): Pick<Hunk, 'from' | 'to'>[] {
  const regions: Pick<Hunk, 'from' | 'to'>[] = [];
  for (const { from, to } of hunks.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    const last = regions.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else regions.push({ from, to });
  }
  return regions;
}

/** Returns what one side has in place of a region. */
function linesIn(base: readonly string[], { from, to }: Pick<Hunk, 'from' | 'to'>, hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    if (hunk.from < from || hunk.to > to) continue;
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
