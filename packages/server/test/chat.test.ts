import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerJson, FakeOpenAiServer } from '../src/providers/test-support/fake-openai-server.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
}

/** A model that repeats what it is told. */
class FakeChatServer extends FakeOpenAiServer<ChatBody> {
  protected answer({ messages }: ChatBody, response: ServerResponse): void {
    const content = `You said: ${messages.at(-1)?.content}`;
    answerJson(response, 200, { choices: [{ message: { role: 'assistant', content } }] });
  }
}

describeOneDatabase('POST /v1/chat', (database) => {
  const model = new FakeChatServer();
  beforeAll(() => model.start());
  afterAll(() => model.stop());
  const server = useServer(database, () => ({
    ...{ chatUrl: model.baseUrl, chatModel: 'parrot-1', chatKey: 'sk-chat', chatTimeoutMs: '500' },
  }));
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where do I live?' },
  ];
  const ask = (body: object) => server().call({ method: 'POST', path: '/v1/chat', body });

  it('lists the configured model first, and the scripted one', async () => {
    const { body } = await server().call({ path: '/v1/chat/models' });
    expect(body.models).toEqual([
      { id: 'parrot-1', scripted: false },
      { id: 'scripted', scripted: true },
    ]);
  });

  it('sends the messages to the model, and returns its answer', async () => {
    const { status, body } = await ask({ messages });
    expect(status).toBe(200);
    expect(body).toEqual({
      model: 'parrot-1',
      message: { role: 'assistant', content: 'You said: Where do I live?' },
    });
    expect(model.requests.at(-1)).toMatchObject({
      url: '/v1/chat/completions',
      authorization: 'Bearer sk-chat',
      body: { model: 'parrot-1', messages },
    });
    const scripted = await ask({ model: 'scripted', messages });
    expect(scripted.body.message.content).toBe('I do not remember anything about that.');
    expectProblem(await ask({ model: 'none', messages }), 'NOT_FOUND');
  });

  it('stores nothing', async () => {
    await ask({ messages: [{ role: 'user', content: 'I live in Oslo.' }] });
    expect((await server().call({ path: '/v1/memories' })).body.memories).toEqual([]);
    expect((await server().call({ path: '/v1/facts' })).body.facts).toEqual([]);
  });

  it('says that the model does not answer, and not where it is', async () => {
    model.interceptNext(
      (_, response) => answerJson(response, 500, { error: { message: 'secret internals' } }),
      (_, response) => answerJson(response, 401, { error: { message: 'bad key sk-chat' } }),
      (_, response) => answerJson(response, 200, { choices: [] }),
      () => new Promise((done) => setTimeout(() => done(true), 1500)),
    );
    for (let tries = 0; tries < 4; tries++) {
      const answer = await ask({ messages });
      expectProblem(answer, 'UNAVAILABLE');
      expect(JSON.stringify(answer.body)).not.toMatch(/sk-chat|127\.0\.0\.1|secret/);
    }
  });

  it('is for people and agents, not for operators or strangers', async () => {
    const operator = await server().token({ roles: ['operator'] });
    expectProblem(await server().call({ path: '/v1/chat/models', token: operator }), 'FORBIDDEN');
    expectProblem(await server().call({ path: '/v1/chat/models', token: '' }), 'UNAUTHENTICATED');
    expectProblem(await ask({ messages: [] }), 'INVALID_REQUEST');
    expectProblem(await ask({ messages, stream: true }), 'UNKNOWN_FIELD');
  });
});
