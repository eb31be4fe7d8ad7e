import { it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { projects } from './support/framework-project.js';
import { useFrameworkServer } from './support/framework-server.js';

describeOneDatabase('Mastra', (database) => {
  const server = useFrameworkServer(database);

  it.each(projects)(
    'keeps threads, messages and resources in Memhall, and recalls once: $name version',
    async (project) => {
      const scenario = project.name === 'current' ? 'mastra.mjs' : 'mastra-0.mjs';
      // Mastra 1 asks for Node 22, and works with Node 20, too.
      const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
      const node = isLong && project.name === 'current' ? '22' : process.versions.node;
      await project.run(scenario, await server.variables(), node);
      await server.expectErased('ann', 'cat');
    },
  );
});
