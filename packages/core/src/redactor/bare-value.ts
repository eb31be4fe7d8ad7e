/**
 * The end of a value: whitespace, an earlier redaction (possibly after the leftover backslash of an escaped line end),
 * a quote that closes something around the value, or an escaped line end.
 */
const valueEnd =
  /\s|\\?\0|\\?["'`](?=[\s\0,;:)\]}>]|\\[nr]|$)|\\[nr](?=\\[nr]|#|["'`\s\0]|[A-Za-z_][A-Za-z0-9_]{0,63}=|$)/g;
const emptyValue = new RegExp(`${valueEnd.source}|$`, 'y');

/**
 * Returns the end of an unquoted value. Inner quotes and punctuation belong to it, because a truncated match leaks the
 * rest.
 */
export function endOfBareValue(text: string, start: number): number {
  valueEnd.lastIndex = start;
  return valueEnd.exec(text)?.index ?? text.length;
}

/** Returns whether the unquoted value that would start here is empty. */
export function endsHere(text: string, start: number): boolean {
  emptyValue.lastIndex = start;
  return emptyValue.test(text);
}
