/** Formats an entry of the daily notes as one line that starts with its time, so one entry cannot look like several. */
export function toDailyEntry(at: Date, entry: string): { key: string; content: string } {
  const moment = at.toISOString();
  // Line by line: a pattern for spaces around a line break would read a long run of spaces again from each of them.
  const lines = entry.split(/[\r\n\u0085\u2028\u2029]/).map((line) => line.trim());
  const line = lines.filter((text) => text !== '').join(' ');
  return { key: moment.slice(0, 10), content: `- ${moment} — ${line}` };
}
