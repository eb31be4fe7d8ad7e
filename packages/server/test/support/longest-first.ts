import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds or more, in long runs at least. Most start processes and several databases. */
const longest = [
  'canaries',
  'webhooks',
  'queue',
  'coding-agents',
  'mcp-stdio',
  'examples',
  'export-import',
  'import-from',
  'jobs',
  'commands',
  'backfill-verify',
  'large-scopes',
  'personal-export',
  'memhall',
  'langgraph-saver',
  'http-provider-server',
  'archive-export',
  'outbound-traffic',
  'slow-clients',
  'backfill-target',
  'forget',
  'outage',
  'large-scope-changes',
  'token-revocation',
  'documents-registry',
  'snapshots',
  'poison-jobs',
  'read-replica',
  'outer-erasure',
  'tokenless-users',
  'vector-plugin',
  'erasure-tables',
  'forget-elsewhere',
  'workspaces',
  'documents-race',
  'forget-under-fire',
  'recall',
  'plugin-conformance',
  'erasure-kill',
  'backfill-kill',
  'import-kill',
  'gateway-kill',
  'lifecycle-kill',
];

const projects = ['server', 'package', 'unit'];

/**
 * Runs the longest files first, so that a run does not end with one of them while the other processors are idle. Keeps the files
 * of a project together, so that workers can reuse the modules they have loaded.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const [, name = ''] = /\/(?:server\/test|test\/server)\/([^/]+)\.test\.ts$/.exec(moduleId) ?? [];
      const at = longest.indexOf(name);
      return at === -1 ? longest.length : at;
    };
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other) || place(one) - place(other));
  }
}
