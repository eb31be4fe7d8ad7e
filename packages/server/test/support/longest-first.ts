import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, the longest first: what they start are processes and databases of their own. */
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

/** Begins with what takes long, so that a run does not end with one of them while every other processor has nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/server/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
