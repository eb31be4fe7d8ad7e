import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds or more, the longest first: what they start are processes and databases of their own. */
const longest = [
  'examples',
  'commands',
  'jobs',
  'lifecycle-kill',
  'mcp-stdio',
  'erasure-kill',
  'outer-rebuild',
  'archive-export',
  'export-import',
  'embedding',
  'gateway-resources',
  'archive-refusals',
  'keys',
  'migrations',
];

const projects = ['server', 'package', 'unit'];

/**
 * Begins with what takes long, so that a run does not end with one of them while every other processor has nothing to do. Keeps
 * the files of a project together: workers go on with what they have loaded.
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
