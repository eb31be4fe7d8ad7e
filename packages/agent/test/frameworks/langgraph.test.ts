import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { projects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

/** The current version is part of the workspace: test/server/langgraph-saver.test.ts runs its validation suite. */
const previous = projects.filter(({ name }) => name === 'previous');

describeOneDatabase('LangGraph', (database) => {
  const server = useFrameworkServer(database);

  it('of the previous version keeps its threads in Memhall, with MEMHALL_TEST_LONG', async () => {
    expect(previous).toHaveLength(process.env.MEMHALL_TEST_LONG === undefined ? 0 : 1);
    for (const project of previous) {
      await project.run('langgraph.mjs', await server.variables());
      await server.expectErased('ann');
    }
  });
});
