import { expect } from 'vitest';
import type { TestDatabase } from '../../../../server/test/support/databases.js';
import { useServer } from '../../../../server/test/support/server.js';

/** A server, and who may call it in a scenario. */
export function useFrameworkServer(database: () => TestDatabase) {
  const server = useServer(database);
  return {
    async variables(): Promise<Record<string, string>> {
      return {
        URL: server().url,
        ANN: await server().token({ user: 'ann' }),
        BOB: await server().token({ user: 'bob' }),
        SERVICE: await server().token({ user: 'app', roles: ['service'] }),
      };
    },

    /** Erases users, and expects that nothing is left of them. */
    async expectErased(...users: string[]): Promise<void> {
      const token = await server().token({ user: 'root', roles: ['admin'] });
      for (const user of users) {
        const { status, body } = await server().call({
          ...{ method: 'DELETE', path: `/v1/tenants/t1/users/${user}/memory`, token },
        });
        expect(status).toBe(200);
        expect(Object.values(body.counts).some((count) => Number(count) > 0)).toBe(true);
        const receipt = await server().call({ path: `/v1/tenants/t1/receipts/${body.receipt.id}`, token });
        expect(receipt.body).toMatchObject({ verified: true });
        expect(Object.values(receipt.body.remaining).every((count) => count === 0)).toBe(true);
      }
    },
  };
}
