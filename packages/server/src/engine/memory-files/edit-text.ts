import { Refusal } from './refusal.js';

export interface Edited {
  text: string;
  /** The first changed line, from 1. */
  line: number;
}

/** Replaces the one occurrence of a text. Throws Refusal if there is none, or more than one. */
export function replaceText(shown: string, text: string, oldText: string, newText: string): Edited {
  const places = occurrencesOf(text, oldText);
  const [place] = places;
  if (place === undefined) {
    throw new Refusal(`No replacement was performed, old_str \`${oldText}\` did not appear verbatim in ${shown}.`);
  }
  if (places.length > 1) {
    const lines = places.map((at) => lineAt(text, at)).join(', ');
    throw new Refusal(
      `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines: ${lines}. Please ensure it is unique`,
    );
  }
  return {
    text: text.slice(0, place) + newText + text.slice(place + oldText.length),
    line: lineAt(text, place),
  };
}

/** Inserts lines after a line; 0 is before the first. Throws Refusal if there is no such line. */
export function insertText(text: string, afterLine: number, inserted: string): Edited {
  const lines = text.split('\n');
  if (!Number.isInteger(afterLine) || afterLine < 0 || afterLine > lines.length) {
    throw new Refusal(
      `Error: Invalid \`insert_line\` parameter: ${afterLine}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  }
  lines.splice(afterLine, 0, inserted.replace(/\n$/, ''));
  return { text: lines.join('\n'), line: afterLine + 1 };
}

/** More than this many are not all named. */
const maxNamed = 100;

function occurrencesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  if (wanted === '') return places;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && places.length < maxNamed;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    places.push(at);
  }
  return places;
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
