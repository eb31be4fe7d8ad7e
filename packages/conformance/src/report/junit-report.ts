import type { GroupResult, Report, RequirementResult } from './report.js';

/** Formats the report as JUnit XML for build servers: a test suite per group, a test case per requirement. */
export function toJUnitReport(report: Report): string {
  const all = report.groups.flatMap(({ requirements }) => requirements);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: report.title, ...totals(all), time: seconds(report.durationMs) })}>`,
    ...report.groups.map((group) => toTestSuite(report, group)),
    '</testsuites>',
    '',
  ].join('\n');
}

function toTestSuite({ suite, target, startedAt }: Report, { title, requirements }: GroupResult): string {
  const time = seconds(durationOf(requirements));
  return [
    `  <testsuite${attributes({ name: title, ...totals(requirements), time, timestamp: startedAt, hostname: target })}>`,
    ...requirements.map((requirement) => toTestCase(suite, title, requirement)),
    '  </testsuite>',
  ].join('\n');
}

function toTestCase(suite: string, group: string, requirement: RequirementResult): string {
  const { id, sentence } = requirement;
  const time = seconds(durationOf([requirement]));
  const open = `    <testcase${attributes({ classname: `${suite}.${group}`, name: `${id} ${sentence}`, time })}`;
  const inside = outcomeOf(requirement);
  return inside === '' ? `${open}/>` : `${open}>\n      ${inside}\n    </testcase>`;
}

function outcomeOf({ verdict, reason, cases, lacks, needs }: RequirementResult): string {
  const failures = cases.flatMap(({ title, message }) => (message === undefined ? [] : [`${title}: ${message}`]));
  const text = failures.join('\n');
  switch (verdict) {
    case 'passed':
      return '';
    case 'failed':
      return `<failure${attributes({ message: failures[0] ?? '' })}>${escapeXml(text)}</failure>`;
    case 'closed':
      return `<failure${attributes({ message: 'declared as a known gap, but passed' })}>${escapeXml(reason ?? '')}</failure>`;
    case 'open':
      return `<error${attributes({ message: 'the run ended before this was verified' })}/>`;
    case 'warned':
      return `<system-out>${escapeXml(`warning: ${text}`)}</system-out>`;
    case 'gap':
      return `<skipped${attributes({ message: `known gap: ${reason}` })}/>`;
    case 'absent':
      return `<skipped${attributes({ message: lacks ? `only without ${lacks}` : `needs ${needs?.join(' and ')}` })}/>`;
  }
}

function totals(requirements: readonly RequirementResult[]) {
  const count = (...verdicts: string[]) => requirements.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    tests: requirements.length,
    failures: count('failed', 'closed'),
    errors: count('open'),
    skipped: count('gap', 'absent'),
  };
}

function durationOf(requirements: readonly RequirementResult[]): number {
  return requirements.flatMap(({ cases }) => cases).reduce((total, { durationMs }) => total + durationMs, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Escapes text for XML. Characters that XML 1.0 cannot represent become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
