/** The beginning of a text usually says what it is about, so it keeps two thirds of the room. */
const headShare = 2 / 3;

/**
 * Returns the beginning and the end of a text that is longer than `maxLength` UTF-16 code units, with a note of how many
 * were left out between them. Without room for both the note and some text, returns only the beginning. Never splits a
 * surrogate pair.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const note = (leftOut: number) => `\n[… ${leftOut} characters left out …]\n`;
  const room = maxLength - note(text.length).length;
  if (room <= 0) return text.slice(0, startOfPair(text, maxLength));
  const headEnd = startOfPair(text, Math.ceil(room * headShare));
  const tailStart = endOfPair(text, text.length - (room - headEnd));
  return text.slice(0, headEnd) + note(tailStart - headEnd) + text.slice(tailStart);
}

/** Moves a cut that would split a surrogate pair in front of the pair. */
function startOfPair(text: string, cut: number): number {
  return isInsidePair(text, cut) ? cut - 1 : cut;
}

function endOfPair(text: string, cut: number): number {
  return isInsidePair(text, cut) ? cut + 1 : cut;
}

function isInsidePair(text: string, cut: number): boolean {
  const [before, after] = [text.charCodeAt(cut - 1), text.charCodeAt(cut)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
