import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/settings.js';

const root = new URL('../../../../', import.meta.url);
const chartDirectory = new URL('deploy/helm/memhall/', root);
const defaults = parse(readFileSync(new URL('values.yaml', chartDirectory), 'utf8'));
const models = { Deployment, Job, Ingress, NetworkPolicy, PodDisruptionBudget, Service };

interface Manifest {
  kind: keyof typeof models;
  metadata: { name: string; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: manifests are looked at, not typed
  spec: any;
}

function render(values: object): Manifest[] {
  const { name, version, appVersion } = parse(readFileSync(new URL('Chart.yaml', chartDirectory), 'utf8'));
  const input = {
    directory: fileURLToPath(chartDirectory),
    values: { ...defaults, ...values },
    chart: { Name: name, Version: version, AppVersion: appVersion },
    release: { Name: 'prod', Namespace: 'memory', Service: 'Helm' },
  };
  const text = execFileSync('go', ['run', fileURLToPath(new URL('scripts/render-chart/main.go', root))], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', GOTOOLCHAIN: 'local' },
  });
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}

const variants: [string, object][] = [
  ['as it is', {}],
  [
    'with everything',
    {
      settings: { MEMHALL_JWKS_URL: 'https://login.example.com/keys', MEMHALL_LOG_LEVEL: 'warn' },
      migrationSecret: 'memhall-owner',
      imagePullSecrets: [{ name: 'registry' }],
      ingress: {
        ...defaults.ingress,
        enabled: true,
        className: 'nginx',
        tlsSecret: 'memhall-tls',
        annotations: { a: 'b' },
      },
      podAnnotations: { 'prometheus.io/scrape': 'true' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'memory', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
    },
  ],
  ['without a network policy', { networkPolicy: { ...defaults.networkPolicy, enabled: false } }],
];

describe.each(variants)('the chart %s', (_, values) => {
  const manifests = render(values);

  it('matches its schema of values', () => {
    const schema = JSON.parse(readFileSync(new URL('values.schema.json', chartDirectory), 'utf8'));
    const { $schema: _draft, ...rules } = schema;
    const ajv = new Ajv({ allErrors: true });
    const isValid = ajv.validate(rules, { ...defaults, ...values });
    expect({ isValid, errors: ajv.errors }).toEqual({ isValid: true, errors: null });
  });

  it('renders manifests that Kubernetes accepts, of one release', () => {
    expect(manifests.length).toBeGreaterThan(4);
    for (const manifest of manifests) {
      const model = models[manifest.kind];
      expect(model, manifest.kind).toBeDefined();
      new model(manifest as never).validate();
      expect(manifest.metadata.labels['app.kubernetes.io/instance']).toBe('prod');
    }
  });

  it('selects its own pods: by labels that they have', () => {
    const templates = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.metadata.labels);
    for (const { kind, spec } of manifests.filter(({ kind }) => kind !== 'Job' && kind !== 'Ingress')) {
      const selector = kind === 'Service' ? spec.selector : (spec.selector ?? spec.podSelector).matchLabels;
      expect(templates.some((labels) => Object.entries(selector).every(([key, value]) => labels[key] === value))).toBe(
        true,
      );
    }
  });

  it('runs every container without privileges, on a read-only file system, with settings that exist', () => {
    const known = new Set(Object.values(settings).map(({ env }) => env as string));
    const pods = manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => spec.template.spec);
    expect(pods).toHaveLength(3);
    for (const { containers, securityContext, automountServiceAccountToken } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const unknown = (container.env ?? []).filter(({ name }: { name: string }) => !known.has(name));
        expect(unknown).toEqual([]);
      }
    }
  });
});
