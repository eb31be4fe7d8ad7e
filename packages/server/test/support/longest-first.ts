import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds or more, longest first. Most start processes and several databases. */
const longest = [
  'jobs',
  'coding-agents',
  'import-from',
  'queue',
  'examples',
  'large-scopes',
  'gateway-resources',
  'token-revocation',
  'signed-log',
  'erasure-kill',
  'canaries',
  'backfill-kill',
  'outer-rebuild',
  'plugin-conformance',
  'keys',
  'outbound-traffic',
  'mcp-stdio',
  'archive-export',
  'archive-refusals',
  'commands',
  'snapshots',
  'forget-under-fire',
  'embedding',
  'cutover',
  'import-kill',
  'documents-race',
  'vector-plugin',
  'azure-search',
  'export-import',
  'backfill-target',
  'tracing',
  'migrations',
  'slow-clients',
  'database-image',
  'azure-search-server',
  'gateway-kill',
  'large-scope-changes',
  'tokenless-users',
  'lifecycle-kill',
  'backfill-verify',
];

const projects = ['server', 'package', 'unit'];

/**
 * Runs the longest files first, so that a run does not end with one of them while the other processors are idle. Keeps the files
 * of a project together, so that workers can reuse the modules they have loaded.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/server/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other) || place(one) - place(other));
  }
}
