import { readdirSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} CorpusText
 * @property {string} group name of its file without the extension: a category or a subject
 * @property {number} line line number in that file
 * @property {string} text
 */

/**
 * @param {'main' | 'held-out' | 'seen' | 'unseen' | 'training'} corpus
 * @param {'hostile' | 'ordinary'} kind
 * @returns {CorpusText[]}
 */
export function readCorpus(corpus, kind) {
  const folder = new URL(`./${corpus}/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .flatMap((file) =>
      parseCorpus(readFileSync(new URL(file, folder), 'utf8')).map((entry) => ({
        group: file.replace(/\.txt$/, ''),
        ...entry,
      })),
    );
}

/** @param {string} content */
function parseCorpus(content) {
  const texts = [];
  /** @type {{ line: number, lines: string[] } | undefined} */
  let block;
  for (const [index, line] of content.split('\n').entries()) {
    if (line === '<<<') block = { line: index + 2, lines: [] };
    else if (line === '>>>' && block !== undefined) {
      texts.push({ line: block.line, text: withCharacters(block.lines.join('\n')) });
      block = undefined;
    } else if (block !== undefined) block.lines.push(line);
    else if (line !== '') texts.push({ line: index + 1, text: withCharacters(line) });
  }
  return texts;
}

/** @param {string} text */
function withCharacters(text) {
  return text.replace(/\\u\{([0-9A-Fa-f]{1,6})\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
