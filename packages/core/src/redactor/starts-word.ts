/** Whether a word can begin here: `sk-` does not within `task-`. An escape in front, as of JSON or URLs, is no letter. */
export function startsWord(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
  return /(?:\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, at - 6), at));
}
