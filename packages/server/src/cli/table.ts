import type { Environment } from './config-options.js';
import { cutToWidth, padToWidth, widthOf } from './text-width.js';

/** What a table is printed on. */
export interface Screen {
  /** Columns of the terminal; undefined if the output is not a terminal, and nothing needs to be cut. */
  width: number | undefined;
  hasColours: boolean;
}

export interface Row {
  id: string;
  cells: readonly string[];
  /** Lines below the row. */
  notes?: readonly string[];
}

const gap = '  ';
/** The last column holds the text. With less room than this for it, ids are put below the rows. */
const leastTextWidth = 40;
const mostCellWidth = 28;
/** For a terminal that does not tell its width. */
const usualWidth = 80;

export function screenOf(stream: NodeJS.WriteStream, environment: Environment): Screen {
  const isTerminal = stream.isTTY === true;
  return {
    width: isTerminal ? stream.columns || usualWidth : undefined,
    hasColours: hasColours(isTerminal, environment),
  };
}

/** As Node.js decides: FORCE_COLOR comes before NO_COLOR. */
function hasColours(isTerminal: boolean, { FORCE_COLOR: forced, NO_COLOR: refused = '', TERM: kind }: Environment) {
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && refused === '' && kind !== 'dumb';
}

/** Returns aligned lines: the id, the cells of each row, and the text last, cut to the width of the screen. */
export function toTable(
  heads: readonly string[],
  rows: readonly Row[],
  { width, hasColours }: Screen,
  idHead = 'ID',
): string {
  const screenWidth = width ?? Number.POSITIVE_INFINITY;
  const paint = (code: number, text: string) => (hasColours ? `\u001b[${code}m${text}\u001b[22m` : text);
  const dim = (text: string) => paint(2, text);
  const widths = heads.slice(0, -1).map((head, column) => {
    const widest = Math.max(widthOf(head), ...rows.map(({ cells }) => widthOf(cells[column] ?? '')));
    return Math.min(mostCellWidth, widest);
  });
  const idWidth = Math.max(widthOf(idHead), ...rows.map(({ id }) => widthOf(id)));
  const roomWithoutId = screenWidth - widths.reduce((sum, column) => sum + column + gap.length, 0);
  const isIdBeside = roomWithoutId - idWidth - gap.length >= leastTextWidth;
  const room = Math.max(1, isIdBeside ? roomWithoutId - idWidth - gap.length : roomWithoutId);
  const toLine = (id: string, cells: readonly string[]) => {
    const aligned = widths.map((column, place) => padToWidth(cutToWidth(cells[place] ?? '', column), column));
    return [...(isIdBeside ? [id] : []), ...aligned, cutToWidth(cells.at(-1) ?? '', room)].join(gap);
  };
  const lines = rows.flatMap(({ id, cells, notes = [] }) => [
    toLine(dim(padToWidth(id, idWidth)), cells),
    ...[...(isIdBeside ? [] : [id]), ...notes].map((note) => dim(cutToWidth(`${gap}${note}`, screenWidth))),
  ]);
  return [paint(1, toLine(padToWidth(idHead, idWidth), heads)), ...lines].map((line) => `${line}\n`).join('');
}
