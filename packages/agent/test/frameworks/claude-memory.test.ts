import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { projects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

/** The current version is part of the workspace: test/server/claude-memory.test.ts. */
const previous = projects.filter(({ name }) => name === 'previous');

describeOneDatabase('the memory tool of Anthropic’s SDK', (database) => {
  const server = useFrameworkServer(database);

  it('of the previous version keeps its files in Memhall, with MEMHALL_TEST_LONG', async () => {
    expect(previous).toHaveLength(process.env.MEMHALL_TEST_LONG === undefined ? 0 : 1);
    for (const project of previous) {
      await project.run('claude-memory.mjs', await server.variables());
      await server.expectErased('ann');
    }
  });
});
