/**
 * Splits a long text into pieces of roughly equal length, at most `maxLength` UTF-16 code units each: at line ends,
 * else sentence ends, else spaces.
 */
export function splitText(text: string, maxLength: number): string[] {
  if (text.length <= maxLength) return [text];
  const wanted = text.length / Math.ceil(text.length / maxLength);
  const pieces: string[] = [];
  let at = 0;
  while (text.length - at > maxLength) {
    const cut = at + findCut(text.slice(at, at + Math.min(maxLength, Math.ceil(wanted * 1.15))), wanted * 0.5);
    pieces.push(text.slice(at, cut).trim());
    at = cut;
  }
  pieces.push(text.slice(at).trim());
  return pieces.filter((piece) => piece !== '');
}

/**
 * Returns where to cut: after the last break that is not too early, else at the end of the window, but never inside a
 * surrogate pair.
 */
function findCut(window: string, earliest: number): number {
  for (const breaks of [/\n/g, /[.!?。！？]\s?/g, /\s/g]) {
    let cut = 0;
    for (const match of window.matchAll(breaks)) if (match.index > earliest) cut = match.index + match[0].length;
    if (cut > 0) return cut;
  }
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff && window.length > 1 ? window.length - 1 : window.length;
}
