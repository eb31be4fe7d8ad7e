import type { Reporter, TestModule } from 'vitest/node';
import type { Finding } from './attack-report.js';

/** Prints what the attacks have found, as one table. */
export class AttackReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Finding>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        for (const finding of test.meta().attack ?? []) {
          const key = `${finding.part}\n${finding.name}`;
          const known = rows.get(key);
          rows.set(key, known === undefined ? finding : combine(known, finding));
        }
      }
    }
    if (rows.size > 0) process.stdout.write(toTable([...rows.values()]));
  }
}

function combine(one: Finding, { value, combined }: Finding): Finding {
  return { ...one, value: combined === 'sum' ? one.value + value : Math.max(one.value, value) };
}

function toTable(findings: readonly Finding[]): string {
  const sorted = findings.toSorted((one, other) => one.part.localeCompare(other.part));
  const lines = sorted.map(({ part, name, value }) => `| ${part} | ${name} | ${value.toLocaleString('en')} |`);
  return ['', '| attack | what | number |', '| --- | --- | ---: |', ...lines, ''].join('\n');
}
