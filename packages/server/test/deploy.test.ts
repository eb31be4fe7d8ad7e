import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const file = new URL('../../../deploy/prometheus-rules.yml', import.meta.url);
const rules: Rule[] = parse(readFileSync(file, 'utf8')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

it.each(rules)('the alert $alert has every field and a valid PromQL expression', (rule) => {
  expect(rule).toEqual({
    alert: expect.stringMatching(/^Memhall[A-Z]\w+$/),
    expr: expect.any(String),
    for: expect.stringMatching(/^\d+[smh]$/),
    labels: { severity: expect.stringMatching(/^(warning|critical)$/) },
    annotations: { summary: expect.stringMatching(/\.$/), description: expect.stringMatching(/\.$/) },
  });
  const faults: string[] = [];
  parser.parse(rule.expr).iterate({
    enter: (node) => {
      if (node.type.isError) faults.push(rule.expr.slice(node.from, node.to + 10));
    },
  });
  expect(faults).toEqual([]);
});

describeOneDatabase('alerts', (database) => {
  const server = useServer(database);

  it('use only metrics that the server exposes', async () => {
    const { body } = await server().call({ path: '/metrics' });
    const known = new Set([...(body as string).matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1]));
    const asked = rules.flatMap(({ expr }) => expr.match(/\bmemhall_\w+/g) ?? []);
    const unknown = asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(count|sum|bucket)$/, '')));
    expect(asked.length).toBeGreaterThan(3);
    expect(unknown).toEqual([]);
  });
});
