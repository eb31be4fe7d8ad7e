import type { TestServer } from '../../../server/test/support/server.js';

/** A person with a life, so that every page has something to show. */
export async function remember(server: TestServer, token: string): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await server.call({ method, path, body, token });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const note = (content: string, more: object = {}) => call('POST', '/v1/remember', { content, ...more });
  await note('I live in Bergen.', { occurred_at: '2025-03-01T09:00:00Z' });
  await note('I live in Oslo now.', { occurred_at: '2026-02-10T09:00:00Z' });
  await note('I take my tea without milk.', { pin: true, tags: ['tea'] });
  await note('The rollout of release 4 starts on Monday, after the freeze.', {
    tags: ['work'],
    session_id: 'standup-12',
  });
  await note('Ann prefers trains to planes, and books the window seat.', { session_id: 'standup-12', role: 'user' });
  await note('My sister Ann works at Equinor.');
  await note('The staging database is restored from the nightly backup at 03:00.', { trust: 'agent', tags: ['work'] });
  await call('PUT', '/v1/facts', { subject: 'me', attribute: 'lives in', value: 'Trondheim', trust: 'tool' });
  await call('PUT', '/v1/facts', { subject: 'Ann', attribute: 'likes', value: 'window seats' });
}
