/**
 * Where a value ends: at white space, at what was redacted before (with a line end's backslash left over, maybe), at a quote
 * that closes something around it, or at an escaped line end.
 */
const valueEnd =
  /\s|\\?\0|\\?["'`](?=[\s\0,;:)\]}>]|\\[nr]|$)|\\[nr](?=\\[nr]|#|["'`\s\0]|[A-Za-z_][A-Za-z0-9_]{0,63}=|$)/g;
const emptyValue = new RegExp(`${valueEnd.source}|$`, 'y');

/** End of an unquoted value. Quotes and punctuation inside belong to it: a secret cut short is a secret leaked. */
export function endOfBareValue(text: string, start: number): number {
  valueEnd.lastIndex = start;
  return valueEnd.exec(text)?.index ?? text.length;
}

/** Whether an unquoted value that should begin here is empty. */
export function endsHere(text: string, start: number): boolean {
  emptyValue.lastIndex = start;
  return emptyValue.test(text);
}
