/** NUL characters and surrogates that are not part of a pair. */
const invalidCharacters = /\0|\p{Surrogate}/gu;

/**
 * Returns a text that a gateway accepts, in Unicode NFC: without NUL characters, and with U+FFFD instead of lone
 * surrogates, or instead of everything if nothing else remains.
 */
export function toStorableText(text: string): { text: string; invalid: number } {
  const invalid = text.match(invalidCharacters)?.length ?? 0;
  const storable = text.replaceAll('\0', '').toWellFormed().normalize('NFC');
  return { text: storable.trim() === '' ? '\uFFFD' : storable, invalid };
}
