import type { Report } from './report.js';

/** For programs: everything, as it is. */
export function toJsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
