import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { AgentMemoryClient } from '../src/agent-memory.js';

describeOneDatabase('AgentMemoryClient', (database) => {
  const server = useServer(database);
  const connect = async (claims: Record<string, string | boolean>, userId?: string) =>
    new AgentMemoryClient({
      baseUrl: server().url,
      token: await server().token({ claims, roles: userId === undefined ? [] : ['service'] }),
      ...(userId === undefined ? {} : { userId }),
    });

  it('commits, finds and forgets memories in the namespaces of its token', async () => {
    const memory = await connect({ workspace_id: 'website', team_id: 'blue', org_id: 'acme' });
    const { namespaces } = await memory.listReadableNamespaces();
    expect(namespaces.map(({ name }) => name)).toEqual(['workspace:website', 'team:blue', 'org:acme']);
    expect((await memory.listWritableNamespaces()).namespaces).toHaveLength(2);
    const content = `Releases are cut on Thursdays. DEPLOY_TOKEN=${'a1B2'.repeat(4)}`;
    const stored = await memory.commitMemory({ content, namespace: 'team:blue', kind: 'checkpoint', pin: true });
    expect(stored).toMatchObject({ namespace: 'team:blue', redactions: 1 });
    const summary = await memory.commitSummary({ content: 'We talked about releases.' });
    expect(Date.parse(summary.expires_at ?? '')).toBeGreaterThan(Date.now());
    expect((await memory.searchMemory({ query: 'releases' })).memories).toMatchObject([
      { memory_id: stored.memory_id, content: 'Releases are cut on Thursdays. [REDACTED:TOKEN]', pinned: true },
      { memory_id: summary.memory_id, kind: 'summary' },
    ]);
    expect((await memory.searchMemory({ kinds: ['summary'], limit: 1 })).memories).toHaveLength(1);
    const place = { memory_id: stored.memory_id, namespace: 'team:blue' };
    await memory.forgetMemory(place);
    await expect(memory.forgetMemory(place)).rejects.toMatchObject({ name: 'MemhallError', code: 'NOT_FOUND' });
  });

  it('reports rejected calls and rejected tokens', async () => {
    const memory = await connect({ org_id: 'acme' });
    await expect(memory.commitMemory({ content: 'x', namespace: 'org:acme' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { writable: ['workspace:u1'] },
      requestId: expect.any(String),
    });
    const stranger = new AgentMemoryClient({ baseUrl: server().url, token: 'nonsense' });
    await expect(stranger.searchMemory()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
  });

  it('acts for the user that a service token names', async () => {
    const memory = await connect({}, 'alice');
    expect((await memory.commitMemory({ content: 'Hers.' })).namespace).toBe('workspace:alice');
  });
});
