const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that take two columns: those of Chinese, Japanese and Korean, full-width forms, and emoji. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303f\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
const narrowKatakana = /^[\uff61-\uff9f]/;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** Returns how many columns of a terminal a line takes. */
export function widthOf(line: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(line)) width += widthOfGrapheme(segment);
  return width;
}

/** Returns a line that takes at most `width` columns. An ellipsis marks what was cut. */
export function cutToWidth(line: string, width: number): string {
  if (line.length * 2 <= width || widthOf(line) <= width) return line;
  let [kept, room] = ['', width - 1];
  for (const { segment } of graphemes.segment(line)) {
    room -= widthOfGrapheme(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padToWidth(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - widthOf(line)));
}

/** Returns a text on one line without what a terminal would obey: escape sequences and changes of direction. */
export function toLine(text: string): string {
  return withoutControls(text.replace(/\s+/gu, ' ')).trim();
}

/** Keeps line breaks. */
export function toLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => withoutControls(line.replaceAll('\t', '  ')))
    .join('\n');
}

function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '');
}

function widthOfGrapheme(segment: string): number {
  if (invisible.test(segment)) return 0;
  return wide.test(segment) && !narrowKatakana.test(segment) ? 2 : 1;
}
