import { it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { projects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

describeOneDatabase('LlamaIndex.TS', (database) => {
  const server = useFrameworkServer(database);

  it.each(projects)('keeps its memory in Memhall, and recalls once: $name version', async (project) => {
    await project.run('llamaindex.mjs', await server.variables());
    await server.expectErased('ann');
  });
});
