import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../server/test/support/server.js';

const said = [
  ['user', 'Hi! My name is Dana, and I work at Statkraft.'],
  ['assistant', 'Nice to meet you, Dana.'],
  ['user', 'I prefer short answers without bullet points.'],
] as const;

/** A chat that was snapshotted and replayed: its turns are memories, and documents were changed because of it. */
export async function holdConversation(server: TestServer, token: string, user = 'me', id = 'trip-7') {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.call({ method, path, token, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const ids: string[] = [];
  for (const [index, [role, content]] of said.entries()) {
    const turn = { content, role, kind: 'episodic', session_id: id, occurred_at: `2026-11-02T09:0${index}:00Z` };
    ids.push((await call('POST', '/v1/remember', { ...turn, user_id: user })).memory.id);
  }
  const messages = said.map(([role, content], index) => ({ id: ids[index], role, content }));
  const path = `/v1/tenants/t1/users/${user}`;
  const body = { profile_id: 'project-copilot-v1', messages };
  const { replay_id: replayId } = await call('POST', `${path}/conversations/${id}/snapshots`, body);
  for (;;) {
    const { status } = await call('GET', `${path}/replays/${replayId}`);
    if (status === 'completed') return;
    if (status === 'failed') throw new Error('the replay failed');
    await sleep(50);
  }
}
