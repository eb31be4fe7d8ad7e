import { scanText } from './scan-text.js';
import type { ScanVerdict } from './scan-verdict.js';

/** Beyond this many hostile combinations, the rest of the text is withheld, so that scanning stays linear. */
const maxCombinations = 16;

/**
 * Finds the blocks of a text (its entries or lines) that must not be shown to a model, so that the others can be.
 * Returns a verdict for each block, or undefined if it is harmless. Offsets are those of the scan that found it. Blocks
 * that are harmless alone but not together are withheld together: the shown blocks, joined by line breaks, with a
 * placeholder for each withheld one, always pass `scanText`.
 */
export function scanBlocks(blocks: readonly string[]): (ScanVerdict | undefined)[] {
  if (scanText(blocks.join('\n')) === undefined) return blocks.map(() => undefined);
  const verdicts = blocks.map(scanText);
  const show = (from: number, to: number) =>
    scanText(
      blocks
        .slice(from, to)
        .map((block, n) => (verdicts[from + n] === undefined ? block : '[BLOCKED]'))
        .join('\n'),
    );
  for (let round = 0; ; round++) {
    const verdict = show(0, blocks.length);
    if (verdict === undefined) return verdicts;
    const to = round < maxCombinations ? bisect(0, blocks.length, (end) => show(0, end) !== undefined) : blocks.length;
    const from = round < maxCombinations ? bisect(to, 0, (start) => show(start, to) !== undefined) : 0;
    for (let n = from; n < to; n++) verdicts[n] ??= verdict;
  }
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
