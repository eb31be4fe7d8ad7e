/** Formats an entry of the daily notes as one line that starts with its time, so one entry cannot look like several. */
export function toDailyEntry(at: Date, entry: string): { key: string; content: string } {
  const moment = at.toISOString();
  const line = entry.trim().replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' ');
  return { key: moment.slice(0, 10), content: `- ${moment} — ${line}` };
}
