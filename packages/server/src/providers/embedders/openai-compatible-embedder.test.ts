import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerJson } from '../test-support/fake-openai-server.js';
import { embedderContract } from './embedder-contract.js';
import {
  OpenAiCompatibleEmbedder,
  type OpenAiCompatibleEmbedderOptions,
  openOpenAiCompatibleEmbedder,
} from './openai-compatible-embedder.js';
import { type EmbeddingsInterceptor, FakeEmbeddingsServer, toAnswer } from './test-support/fake-embeddings-server.js';

const API_KEY = 'sk-secret-0123456789';
const server = new FakeEmbeddingsServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.reset());

function options(more: Partial<OpenAiCompatibleEmbedderOptions> = {}): OpenAiCompatibleEmbedderOptions {
  const retry = { baseDelayMs: 5, maxDelayMs: 50 };
  return { baseUrl: server.baseUrl, model: 'test-model', apiKey: API_KEY, dimension: 16, retry, ...more };
}

function create(more: Partial<OpenAiCompatibleEmbedderOptions> = {}): OpenAiCompatibleEmbedder {
  return new OpenAiCompatibleEmbedder(options(more));
}

function answering(status: number, body: unknown = {}, headers = {}): EmbeddingsInterceptor {
  return (_, response) => answerJson(response, status, body, headers);
}

const dropping: EmbeddingsInterceptor = (_, response) => {
  response.destroy();
  return true;
};
const silent: EmbeddingsInterceptor = () => true;
const slow: EmbeddingsInterceptor = async () => {
  await delay(20);
  return false;
};

embedderContract('openai-compatible', () => openOpenAiCompatibleEmbedder(options()));

describe('the request', () => {
  it('has the format that OpenAI documents', async () => {
    await create({ baseUrl: `${server.baseUrl}/?api-version=1`, requestDimension: true }).embed(['one', 'two']);
    expect(server.requests).toEqual([
      {
        url: '/v1/embeddings?api-version=1',
        authorization: `Bearer ${API_KEY}`,
        body: { model: 'test-model', input: ['one', 'two'], dimensions: 16 },
      },
    ]);
  });

  it('has no authorization without a key', async () => {
    await create({ apiKey: undefined }).embed(['one']);
    expect(server.requests[0]?.authorization).toBeUndefined();
  });

  it('stays within the limits for texts, characters and concurrent requests', async () => {
    const texts = Array.from({ length: 25 }, (_, i) => `${i} `.repeat(i === 3 ? 60 : 1));
    const limits = { maxTextsPerRequest: 4, maxCharactersPerRequest: 100, maxConcurrentRequests: 2 };
    server.interceptNext(...new Array<EmbeddingsInterceptor>(12).fill(slow));
    const vectors = await create(limits).embed(texts);
    expect(server.requests.flatMap(({ body }) => body.input)).toHaveLength(25);
    expect(Math.max(...server.requests.map(({ body }) => body.input.length))).toBe(4);
    expect(server.maxOpen).toBe(2);
    expect(vectors).toEqual(await create().embed(texts));
  });

  it('never has empty input, ill-formed Unicode or text beyond the window', async () => {
    await create({ maxCharactersPerText: 3 }).embed(['', ' \n', '\ud800', 'abcdef']);
    expect(server.requests[0]?.body.input).toEqual(['-', '-', '\ufffd', 'abc']);
  });

  it('has the prefix of its purpose, which is then distinguished', async () => {
    const embedder = create({ prefixes: { query: 'query: ', passage: 'passage: ' } });
    await embedder.embed(['tea'], { purpose: 'query' });
    await embedder.embed(['tea']);
    expect(server.requests.map(({ body }) => body.input[0])).toEqual(['query: tea', 'passage: tea']);
    expect(embedder.distinguishesPurpose).toBe(true);
    expect(create().distinguishesPurpose).toBe(false);
  });
});

describe('the answer', () => {
  it('is the same as numbers and as base64', async () => {
    const texts = ['one', 'two', 'three'];
    const numbers = await create({ encodingFormat: 'float' }).embed(texts);
    const base64 = await create({ encodingFormat: 'base64' }).embed(texts);
    expect(server.requests.map(({ body }) => body.encoding_format)).toEqual(['float', 'base64']);
    expect(base64).toEqual(numbers);
  });

  const one = { index: 0, embedding: new Array(16).fill(1) };
  it.each([
    ['no JSON', '<html>', 'did not respond with JSON'],
    ['no object', [], "lacks the list 'data'"],
    ['no data', { object: 'list' }, "lacks the list 'data'"],
    ['too few vectors', { data: [one] }, '1 vectors for 2 texts'],
    ['too many vectors', { data: [one, one, one] }, '3 vectors for 2 texts'],
    ['an index twice', { data: [one, one] }, 'two vectors with index 0'],
    ['an index too large', { data: [one, { ...one, index: 2 }] }, 'index 2 for 2 texts'],
    ['an index that is none', { data: [one, { ...one, index: '1' }] }, 'without a valid index'],
    ['an item that is none', { data: [one, null] }, 'not an object'],
    ['no embedding', { data: [one, { index: 1 }] }, 'neither numbers nor base64'],
    ['text among numbers', { data: [one, { index: 1, embedding: ['1'] }] }, 'neither numbers nor base64'],
    ['broken base64', { data: [one, { index: 1, embedding: 'AAA' }] }, 'not a list of floats'],
    ['zeros', { data: [one, { index: 1, embedding: new Array(16).fill(0) }] }, 'zero or contains non-finite numbers'],
    ['too large numbers', { data: [one, { index: 1, embedding: new Array(16).fill(1e200) }] }, 'finite numbers'],
  ])('with %s is rejected and not retried', async (_, body, message) => {
    server.interceptNext((_, response) => {
      response.writeHead(200).end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    });
    const error = await create()
      .embed(['a', 'b'])
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid-response', message: expect.stringContaining(message) });
    expect(server.requests).toHaveLength(1);
  });

  it('with NaN in base64 is rejected', async () => {
    const embedding = Buffer.from(new Float32Array(16).fill(Number.NaN).buffer).toString('base64');
    server.interceptNext(answering(200, { data: [{ index: 0, embedding }] }));
    await expect(create().embed(['a'])).rejects.toMatchObject({ code: 'invalid-response' });
  });

  it('of another dimension is rejected with both numbers', async () => {
    await expect(create({ dimension: 384 }).embed(['a'])).rejects.toMatchObject({
      code: 'dimension-mismatch',
      message: expect.stringMatching(/\b16\b.*\b384\b/),
    });
  });
});

describe('the probe', () => {
  it('determines the dimension', async () => {
    const embedder = create({ dimension: undefined });
    expect(() => embedder.dimension).toThrow('unknown until');
    expect(await embedder.probe()).toBe(16);
    expect(embedder.describe()).toEqual({
      kind: 'openai-compatible',
      status: 'ready',
      model: 'test-model@16',
      dimension: 16,
      runtime: `${server.baseUrl}/embeddings`,
    });
  });

  it('checks the configured dimension', async () => {
    await expect(openOpenAiCompatibleEmbedder(options({ dimension: 1536 }))).rejects.toMatchObject({
      code: 'dimension-mismatch',
    });
  });
});

describe('a failure', () => {
  it.each([
    ['429', answering(429, { error: { code: 'rate_limit_exceeded' } })],
    ['500', answering(500)],
    ['503', answering(503, 'overloaded')],
    ['a dropped connection', dropping],
  ])('by %s is tried again', async (_, interceptor) => {
    server.interceptNext(interceptor, interceptor);
    expect(await create().embed(['a'])).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it('in the middle of the response is retried', async () => {
    server.interceptNext((request, response) => {
      const text = JSON.stringify(toAnswer(request.body));
      response.writeHead(200, { 'content-length': text.length });
      response.write(text.slice(0, 20), () => response.destroy());
      return true;
    });
    expect(await create().embed(['a'])).toHaveLength(1);
  });

  it('that persists is reported', async () => {
    server.interceptNext(...new Array<EmbeddingsInterceptor>(9).fill(answering(503)));
    const retry = { maxRetries: 2, baseDelayMs: 1 };
    await expect(create({ retry }).embed(['a'])).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    [400, 'invalid_request_error'],
    [401, 'invalid_api_key'],
    [404, 'model_not_found'],
    [302, undefined],
  ])('by %i is not tried again', async (status, code) => {
    server.interceptNext(answering(status, { error: { code, message: 'free text' } }));
    const error = await create()
      .embed(['a'])
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'rejected', status, retryable: false });
    expect(String(error)).toContain(
      code === undefined ? 'responded with status 302' : `responded with status ${status} (${code})`,
    );
    expect(String(error)).not.toContain('free text');
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as the server asks, but not longer than configured', async () => {
    const retry = { baseDelayMs: 1, maxDelayMs: 120 };
    server.interceptNext(answering(429, {}, { 'retry-after': '3600' }));
    const start = performance.now();
    await create({ retry }).embed(['a']);
    const elapsed = performance.now() - start;
    expect(elapsed).toBeGreaterThan(110);
    expect(elapsed).toBeLessThan(2000);
  });

  it('to respond in time is retried, then reported', async () => {
    server.interceptNext(silent);
    const embedder = create({ timeoutMs: 60, retry: { maxRetries: 1, baseDelayMs: 1 } });
    expect(await embedder.embed(['a'])).toHaveLength(1);
    server.interceptNext(silent, silent);
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not respond within 60 ms'),
    });
  });

  it('to embed a query is reported sooner, including retries', async () => {
    const retry = { maxRetries: 9, baseDelayMs: 60_000, maxDelayMs: 60_000 };
    const embedder = create({ queryTimeoutMs: 60, timeoutMs: 60_000, retry });
    for (const interceptor of [silent, answering(429, {}, { 'retry-after': '60' })]) {
      server.interceptNext(interceptor);
      await expect(embedder.embed(['a'], { purpose: 'query' })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('within 60 ms'),
      });
    }
  });

  it('to reach the service is reported with its cause', async () => {
    const gone = new FakeEmbeddingsServer();
    await gone.start();
    const { baseUrl } = gone;
    await gone.stop();
    const embedder = create({ baseUrl, retry: { maxRetries: 0 } });
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('of one request ends the others of its call', async () => {
    const closed: Promise<unknown>[] = [];
    const held: EmbeddingsInterceptor = (_, response) => {
      closed.push(once(response, 'close'));
      return true;
    };
    server.interceptNext(answering(400), held, held);
    // They would end by themselves only after this test has failed.
    const embedder = create({ maxTextsPerRequest: 1, timeoutMs: 600_000 });
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await expect(embedder.embed(texts)).rejects.toMatchObject({ status: 400 });
    await Promise.all(closed);
    expect(server.requests.length).toBeLessThan(texts.length);
  });
});

describe('an abort', () => {
  it('ends a request without a response', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    server.interceptNext(() => {
      controller.abort(reason);
      return true;
    });
    await expect(create().embed(['a'], { signal: controller.signal })).rejects.toBe(reason);
  });

  it('ends the wait before a retry', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    server.interceptNext((_, response) => {
      response.once('close', () => setTimeout(() => controller.abort(reason), 50));
      return answerJson(response, 503, {});
    });
    const embedder = create({ retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 } });
    await expect(embedder.embed(['a'], { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('the key', () => {
  it('is in no error, inspection or JSON', async () => {
    server.interceptNext(
      answering(401, { error: { code: API_KEY, type: API_KEY, message: `Incorrect API key: ${API_KEY}` } }),
    );
    const embedder = create();
    const error = await embedder.embed(['a']).catch((error: unknown) => error);
    for (const value of [error, embedder]) {
      expect(inspect(value, { depth: 9, showHidden: true })).not.toContain(API_KEY);
      expect(JSON.stringify(value)).not.toContain(API_KEY);
    }
  });

  it.each([
    ['a key with a line break', { apiKey: `${API_KEY}\n` }],
    ['a key in the address', { baseUrl: `https://user:${API_KEY}@example.com/v1` }],
    ['a broken address', { baseUrl: `${API_KEY}/v1` }],
  ])('is not shown by the refusal of %s', (_, more) => {
    expect(() => create(more)).toThrow(expect.objectContaining({ code: 'misconfigured' }));
    expect(() => create(more)).not.toThrow(API_KEY);
  });
});
