/** Returns whether a word can start here: not `sk-` inside `task-`. A preceding JSON or URL escape is not a letter. */
export function startsWord(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
  return /(?:\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, at - 6), at));
}
