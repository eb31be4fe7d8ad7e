/** Splits a text into pieces of at most `maxLength` UTF-16 code units that give the text again when they are joined. */
export function splitLosslessly(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + maxLength;
    // A surrogate pair stays together, because half of one cannot be stored.
    const cut = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    pieces.push(text.slice(at, cut));
    at = cut;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
