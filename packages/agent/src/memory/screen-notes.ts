import { scanBlocks } from '@memhall/core';
import { isEntry, toBlocks, writeEntry } from './curated-entries.js';
import type { WithheldNote } from './memory-backend.js';

interface ScreenedNotes {
  /** The text that a model may see: the file with a placeholder for each withheld entry or line. */
  text: string;
  withheld: readonly WithheldNote[];
}

/** Replaces the entries and lines of a curated file that could manipulate a model. People may have written them there. */
export function screenNotes(file: string, text: string): ScreenedNotes {
  const blocks = toBlocks(text);
  const verdicts = scanBlocks(blocks);
  const withheld: WithheldNote[] = [];
  let line = 1;
  const shown = blocks.map((block, n) => {
    const verdict = verdicts[n];
    const first = line;
    line += block.split('\n').length;
    if (verdict === undefined) return block;
    const { category, rule } = verdict;
    withheld.push({ file, line: first, category, rule });
    const placeholder = `[BLOCKED: ${category}, line ${first} of ${file}]`;
    return isEntry(block) ? writeEntry(placeholder) : placeholder;
  });
  return { text: withheld.length === 0 ? text : shown.join('\n'), withheld };
}
