const excerptLength = 600;

/** Returns the text, or the part of it around the first of the words if it is long. */
export function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= excerptLength) return text;
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length - excerptLength / 2) - excerptLength / 2);
  const part = text.slice(from, from + excerptLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + excerptLength < text.length ? '…' : ''}`;
}
