import { it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { projects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

describeOneDatabase('the OpenAI Agents SDK', (database) => {
  const server = useFrameworkServer(database);

  it.each(projects)('keeps its sessions in Memhall, and recalls once: $name version', async (project) => {
    await project.run('openai-agents.mjs', await server.variables());
    await server.expectErased('ann', 'cat');
  });
});
