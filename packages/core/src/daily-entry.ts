/** How an entry stands in the notes of its day: on one line, after the moment. So an entry cannot look like several. */
export function toDailyEntry(at: Date, entry: string): { key: string; content: string } {
  const moment = at.toISOString();
  const line = entry.trim().replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' ');
  return { key: moment.slice(0, 10), content: `- ${moment} — ${line}` };
}
