import { scanText } from './scan-text.js';
import type { ScanVerdict } from './scan-verdict.js';

/** Beyond this many hostile combinations, the rest of the text is withheld, so that scanning stays linear. */
const maxCombinations = 8;

/** Says nothing alone. A text can have half a million such lines, and a scan has a fixed cost. */
const tooShort = /^[ -~]{0,3}$/;

/**
 * Finds the blocks of a text (its entries or lines) that must not be shown to a model, so that the others can be.
 * Returns a verdict for each block, or undefined if it is harmless. Offsets are those of the scan that found it. Blocks
 * that are harmless alone but not together are withheld together, with the same verdict: the shown blocks, joined by
 * line breaks, with a placeholder for each withheld one, always pass `scanText`.
 */
export function scanBlocks(blocks: readonly string[]): (ScanVerdict | undefined)[] {
  if (scanText(blocks.join('\n')) === undefined) return blocks.map(() => undefined);
  const verdicts = blocks.map((block) => (tooShort.test(block) ? undefined : scanText(block)));
  const shown = blocks.map((block, n) => (verdicts[n] === undefined ? block : '[BLOCKED]'));
  const isHostile = (from: number, to: number) => scanText(shown.slice(from, to).join('\n')) !== undefined;
  for (let round = 0; ; round++) {
    const verdict = scanText(shown.join('\n'));
    if (verdict === undefined) return verdicts;
    const [from, to] =
      round < maxCombinations ? isolate(blockAt(shown, verdict.offset), shown.length, isHostile) : [0, shown.length];
    for (let n = from; n < to; n++) {
      verdicts[n] ??= verdict;
      shown[n] = '[BLOCKED]';
    }
  }
}

/**
 * Returns the smallest hostile run of blocks around a block. Looks at ever larger surroundings, so that the cost depends on
 * how far the run reaches and not on the length of the text.
 */
function isolate(at: number, count: number, isHostile: (from: number, to: number) => boolean): [number, number] {
  for (let reach = 1; ; reach *= 2) {
    const [first, end] = [Math.max(0, at - reach + 1), Math.min(count, at + reach + 1)];
    const isWhole = first === 0 && end === count;
    if (!isWhole && !isHostile(first, end)) continue;
    const to = bisect(first, end, (place) => isHostile(first, place));
    return [bisect(to, first, (place) => isHostile(place, to)), to];
  }
}

function blockAt(blocks: readonly string[], offset: number): number {
  let start = 0;
  const found = blocks.findIndex((block) => {
    start += block.length + 1;
    return offset < start;
  });
  return found < 0 ? blocks.length - 1 : found;
}

/**
 * Returns the place nearest to `harmless` that is hostile next to one that is not, on the way from a harmless place to a
 * hostile one.
 */
function bisect(harmless: number, hostile: number, isHostile: (place: number) => boolean): number {
  let [near, far] = [harmless, hostile];
  while (Math.abs(far - near) > 1) {
    const middle = Math.trunc((near + far) / 2);
    if (isHostile(middle)) far = middle;
    else near = middle;
  }
  return far;
}
