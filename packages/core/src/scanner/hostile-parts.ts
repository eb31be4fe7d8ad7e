import { scanBlocks } from './scan-blocks.js';
import type { ScanVerdict } from './scan-verdict.js';

/** A run of entries that must not be shown to a model. */
export interface HostilePart extends Pick<ScanVerdict, 'category' | 'rule'> {
  /** Index of its first entry. */
  from: number;
  /** Index after its last entry. */
  to: number;
}

/** With more parts than this, the text is withheld as a whole: it is no longer a text with a hostile line in it. */
const maxParts = 20;

const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Splits a text into its entries: lines, each list item together with the indented lines that continue it. */
export function splitEntries(text: string): string[] {
  const entries: string[] = [];
  let continues = false;
  for (const line of text.split('\n')) {
    const startsItem = listItem.test(line);
    if (continues && !startsItem && /^[ \t]+\S/.test(line)) {
      entries.push(`${entries.pop()}\n${line}`);
      continue;
    }
    entries.push(line);
    continues = startsItem;
  }
  return entries;
}

/**
 * Returns the smallest parts to withhold so that the rest of the text may be shown, in order. An entry that is hostile alone is a
 * part of its own; entries that are hostile only together are one part. Occurrences of released texts do not count.
 */
export function findHostileParts(entries: readonly string[], released: readonly string[] = []): HostilePart[] {
  const verdicts = scanBlocks(withoutReleased(entries, released));
  const parts: HostilePart[] = [];
  let last: ScanVerdict | undefined;
  for (const [index, verdict] of verdicts.entries()) {
    const open = parts.at(-1);
    if (verdict !== undefined && verdict === last && open !== undefined) open.to = index + 1;
    else if (verdict !== undefined) parts.push(toPart(index, index + 1, verdict));
    last = verdict;
  }
  const [first] = parts;
  return first !== undefined && parts.length > maxParts ? [toPart(0, entries.length, first)] : parts;
}

/** Returns the entries with a placeholder in place of each part. */
export function replaceParts(
  entries: readonly string[],
  parts: readonly HostilePart[],
  placeholderOf: (part: HostilePart) => string,
): string[] {
  const shown: string[] = [];
  let end = 0;
  for (const part of parts) {
    for (let index = end; index < part.from; index++) shown.push(entries[index] ?? '');
    shown.push(placeholderOf(part));
    end = part.to;
  }
  return [...shown, ...entries.slice(end)];
}

function toPart(from: number, to: number, { category, rule }: Pick<ScanVerdict, 'category' | 'rule'>): HostilePart {
  return { from, to, category, rule };
}

/** Blanks out released texts, which may span entries, and keeps the number of lines of each entry. */
function withoutReleased(entries: readonly string[], released: readonly string[]): readonly string[] {
  const texts = released.filter((text) => text !== '');
  if (texts.length === 0) return entries;
  const blanked = texts.reduce(
    (rest, text) => rest.replaceAll(text, () => text.replace(/[^\n]+/g, ' ')),
    entries.join('\n'),
  );
  const lines = blanked.split('\n');
  let start = 0;
  return entries.map((entry) => {
    const end = start + entry.split('\n').length;
    const kept = lines.slice(start, end).join('\n');
    start = end;
    return kept;
  });
}
