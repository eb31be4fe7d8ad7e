import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { claudeProjects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

describeOneDatabase('the Claude Agent SDK', (database) => {
  const server = useFrameworkServer(database);

  it('recalls once and remembers through hooks, in both versions, with MEMHALL_TEST_LONG', async () => {
    expect(claudeProjects).toHaveLength(process.env.MEMHALL_TEST_LONG === undefined ? 0 : 2);
    for (const project of claudeProjects) {
      await project.run('claude-agent.mjs', await server.variables());
      await server.expectErased('ann');
    }
  });
});
