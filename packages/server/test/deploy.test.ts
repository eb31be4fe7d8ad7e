import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../src/config/settings.js';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

function readDeployed(name: string): string {
  return readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
}

const rules: Rule[] = parse(readDeployed('deploy/prometheus-rules.yml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const panels: Panel[] = JSON.parse(readDeployed('deploy/grafana-dashboard.json')).panels;
/** Grafana replaces its variables before it asks Prometheus. */
const queries = panels
  .flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
  .map(({ title, expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '1m') }));

function faultsOf(expr: string): string[] {
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.isError) faults.push(expr.slice(node.from, node.to + 10));
    },
  });
  return faults;
}

it.each(rules)('the alert $alert has every field and a valid PromQL expression', (rule) => {
  expect(rule).toEqual({
    alert: expect.stringMatching(/^Memhall[A-Z]\w+$/),
    expr: expect.any(String),
    for: expect.stringMatching(/^\d+[smh]$/),
    labels: { severity: expect.stringMatching(/^(warning|critical)$/) },
    annotations: { summary: expect.stringMatching(/\.$/), description: expect.stringMatching(/\.$/) },
  });
  expect(faultsOf(rule.expr)).toEqual([]);
});

it.each(queries)('the dashboard asks a valid PromQL expression for "$title"', ({ expr }) => {
  expect(faultsOf(expr)).toEqual([]);
});

describeOneDatabase('alerts and the dashboard', (database) => {
  const server = useServer(database);

  it('use only metrics that the server exposes', async () => {
    const { body } = await server().call({ path: '/metrics' });
    const known = new Set([...(body as string).matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1]));
    const asked = [...rules, ...queries].flatMap(({ expr }) => expr.match(/\b(memhall|process|nodejs)_\w+/g) ?? []);
    const unknown = asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(count|sum|bucket)$/, '')));
    expect(asked.length).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
  });
});

describe('settings in deployment files', () => {
  const known = new Set(Object.values(settings).map(({ env }) => env as string));
  /** Read by deploy/with-secrets.sh only. */
  const ofScript = ['MEMHALL_SECRETS', 'MEMHALL_DATABASE_HOST', 'MEMHALL_DATABASE_PORT'];

  it.each(['Dockerfile', 'compose.yaml', 'deploy/with-secrets.sh', 'deploy/memhall.service'])('exist: %s', (name) => {
    const named = readDeployed(name).match(/\bMEMHALL_[A-Z_]+|\bDATABASE_URL\b/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((one) => !known.has(one) && !ofScript.includes(one))).toEqual([]);
  });
});
