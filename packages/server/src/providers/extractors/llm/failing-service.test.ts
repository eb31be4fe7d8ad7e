import { describe, expect, it } from 'vitest';
import { answerJson } from '../../test-support/fake-openai-server.js';
import { toMessages } from '../rules/test-support/to-messages.js';
import { type ChatInterceptor, FakeChatServer, toChoice, toCompletion } from './test-support/fake-chat-server.js';
import { useChatServer } from './test-support/use-chat-server.js';

const { server, create } = useChatServer();
const messages = toMessages(['I live in Oslo.']);

function answering(status: number, body: unknown = {}, headers = {}): ChatInterceptor {
  return (_, response) => answerJson(response, status, body, headers);
}

const silent: ChatInterceptor = () => true;
const truncated: ChatInterceptor = (_, response) => {
  const text = JSON.stringify(toCompletion([toChoice('{"facts": [], "digest": {"quotes": [], "keywords": []}}')]));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  return response.write(text.slice(0, 40), () => response.destroy());
};

describe('a service that fails', () => {
  it.each([
    ['429', answering(429, { error: { code: 'rate_limit_exceeded' } })],
    ['429 with a time', answering(429, {}, { 'retry-after': '0.01' })],
    ['500', answering(500)],
    ['503', answering(503, 'overloaded')],
    ['an answer that breaks off', truncated],
  ])('with %s is asked again', async (_, interceptor) => {
    server.interceptNext(interceptor, interceptor);
    const { facts } = await create().extract({ messages });
    expect(facts).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it('for long is reported as unavailable', async () => {
    server.interceptNext(...new Array<ChatInterceptor>(9).fill(answering(500)));
    const call = create({ retry: { maxRetries: 2 } }).extract({ messages });
    await expect(call).rejects.toMatchObject({ name: 'ExtractorError', code: 'unavailable', retryable: true });
    expect(server.requests).toHaveLength(3);
  });

  it('and asks for a long pause is not retried, and the time is passed on', async () => {
    server.interceptNext(answering(429, {}, { 'retry-after': '3600' }));
    await expect(create().extract({ messages })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterMs: 3_600_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('to respond in time is reported, including pauses and attempts', async () => {
    server.interceptNext(answering(503), silent);
    await expect(create({ timeoutMs: 200 }).extract({ messages })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('took more than 200 ms'),
    });
  });

  it('to be reachable is reported with its cause', async () => {
    const gone = new FakeChatServer();
    await gone.start();
    const { baseUrl } = gone;
    await gone.stop();
    await expect(create({ baseUrl }).extract({ messages })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    [401, 'invalid_api_key'],
    [403, 'forbidden'],
    [404, 'model_not_found'],
    [302, undefined],
  ])('with %i is not asked again', async (status, code) => {
    server.interceptNext(answering(status, { error: { code, message: 'free text' } }, { location: '/elsewhere' }));
    const error = await create()
      .extract({ messages })
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'rejected', retryable: false });
    expect(String(error)).toContain(
      code === undefined ? 'responded with status 302' : `responded with status ${status} (${code})`,
    );
    expect(String(error)).not.toContain('free text');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a service with another dialect', () => {
  it('and without schema support is asked for JSON with the schema in words from then on', async () => {
    server.interceptNext(answering(400, { error: { param: 'response_format', code: 'unsupported_value' } }));
    const extractor = create();
    expect((await extractor.extract({ messages })).facts).toHaveLength(1);
    await extractor.extract({ messages });
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      'json_object',
    ]);
    expect(server.requests[1]?.body.messages[0]?.content).toContain('"additionalProperties":false');
  });

  it('and with another name for the limit is asked with that name', async () => {
    server.interceptNext(answering(400, { error: { param: 'max_tokens', code: 'unsupported_parameter' } }));
    await create({ maxOutputTokens: 700 }).extract({ messages });
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 700 });
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
    expect(server.requests[1]?.body.response_format?.type).toBe('json_schema');
  });

  it('and that also rejects the alternative is reported, without effect on the next conversation', async () => {
    server.interceptNext(...new Array<ChatInterceptor>(3).fill(answering(400, { error: { param: 'max_tokens' } })));
    const extractor = create();
    await expect(extractor.extract({ messages })).rejects.toMatchObject({ code: 'rejected' });
    expect(server.requests).toHaveLength(3);
    await extractor.extract({ messages });
    expect(server.requests[3]?.body).toHaveProperty('max_tokens');
    expect(server.requests[3]?.body.response_format?.type).toBe('json_schema');
  });
});

describe('an abort', () => {
  it.each([
    ['an answer that does not come', silent, {}],
    ['the time to try again', answering(503), { baseDelayMs: 60_000, maxDelayMs: 60_000 }],
  ])('ends waiting for %s', async (_, interceptor, retry) => {
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    server.interceptNext((request, response) => {
      setTimeout(() => controller.abort(reason), 20);
      return interceptor(request, response);
    });
    const call = create({ retry }).extract({ messages }, { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
  });
});
