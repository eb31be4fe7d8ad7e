/** More characters than 256 word pieces of ordinary text have in any language. */
const MAX_CHARACTERS = 4096;
/** Number of characters examined when long runs of white space are collapsed. Bounds the work for any text. */
const MAX_SCANNED_CHARACTERS = 32_768;

/** Cuts text that exceeds the model's window, in bounded time, and replaces lone surrogates. */
export function prepareText(text: string): string {
  const short =
    text.length <= MAX_CHARACTERS
      ? text
      : text.slice(0, MAX_SCANNED_CHARACTERS).replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS);
  return Buffer.from(short, 'utf8').toString('utf8');
}
