import type { Report } from './report.js';

/** Formats the complete report as JSON. */
export function toJsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
