import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, longest first. They start their own processes and databases. */
const longest = [
  'jobs',
  'outer-rebuild',
  'lifecycle-kill',
  'commands',
  'examples',
  'gateway-resources',
  'queue',
  'erasure-kill',
  'mcp-stdio',
  'export-import',
  'keys',
  'archive-export',
];

/** Runs long files first, so that no run ends with one of them while the other processors are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/server/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
