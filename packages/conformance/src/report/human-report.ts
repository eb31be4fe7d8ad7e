import type { Report, RequirementResult, Verdict } from './report.js';

const marks: Record<Verdict, { text: string; colour: number }> = {
  passed: { text: 'ok  ', colour: 32 },
  failed: { text: 'FAIL', colour: 31 },
  warned: { text: 'warn', colour: 33 },
  gap: { text: 'gap ', colour: 33 },
  closed: { text: 'DONE', colour: 31 },
  absent: { text: '-   ', colour: 90 },
  open: { text: '?   ', colour: 31 },
};

const summaries: [Verdict, string][] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['closed', 'declared as gaps but passed'],
  ['open', 'not finished'],
  ['warned', 'warnings'],
  ['gap', 'known gaps'],
  ['absent', 'not applicable'],
];

/** Formats the report as text, with one line per requirement. */
export function toHumanReport(report: Report, { colours = false }: { colours?: boolean } = {}): string {
  const paint = (colour: number, text: string) => (colours ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const lines = [
    `${report.title} at ${report.target}`,
    `Capabilities: ${report.capabilities.length === 0 ? 'none' : report.capabilities.join(', ')}`,
  ];
  for (const { title, requirements } of report.groups) {
    lines.push('', paint(1, title));
    const width = Math.max(...requirements.map(({ id }) => id.length));
    for (const requirement of requirements) {
      const { text, colour } = marks[requirement.verdict];
      lines.push(`  ${paint(colour, text)}  ${requirement.id.padEnd(width)}  ${requirement.sentence}`);
      for (const note of notesOf(requirement)) lines.push(`        ${note}`);
    }
  }
  const counts = summaries.filter(([verdict]) => report.counts[verdict] > 0);
  const summary = counts.map(([verdict, words]) => `${report.counts[verdict]} ${words}`).join(', ');
  if (report.leftBehind.length > 0) {
    lines.push('', `Data that could not be removed from the target: ${report.leftBehind.join(', ')}`);
  }
  const outcome = report.isPassed ? paint(32, 'Passed') : paint(31, report.isCancelled ? 'Stopped' : 'Failed');
  lines.push('', `${outcome}: ${summary}; ${(report.durationMs / 1000).toFixed(1)} s`);
  return `${lines.join('\n')}\n`;
}

function notesOf({ verdict, reason, needs, lacks, cases }: RequirementResult): string[] {
  if (verdict === 'absent') {
    return lacks === undefined ? [`needs ${needs?.join(' and ')}`] : [`only without ${lacks}`];
  }
  if (verdict === 'closed') return [`was declared as a gap (${reason}) but passes: remove it from the list`];
  const failures = cases.flatMap(({ title, message }) => (message === undefined ? [] : [`${title}: ${message}`]));
  return verdict === 'gap' ? [`known: ${reason}`, ...failures] : failures;
}
