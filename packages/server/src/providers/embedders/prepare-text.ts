/** More than 256 word pieces of ordinary text in any language take. */
const MAX_CHARACTERS = 4096;
/** How far to look when long runs of white space are squeezed. Bounds the work on a text of any size. */
const MAX_SCANNED_CHARACTERS = 32_768;

/** Cuts what the model's window can't hold, in bounded time, and replaces lone surrogates. */
export function prepareText(text: string): string {
  const short =
    text.length <= MAX_CHARACTERS
      ? text
      : text.slice(0, MAX_SCANNED_CHARACTERS).replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS);
  return Buffer.from(short, 'utf8').toString('utf8');
}
