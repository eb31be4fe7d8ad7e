import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpProvider, type HttpProviderOptions } from '../src/provider/http/http-provider.js';
import { PluginProvider } from '../src/provider/plugin/plugin-provider.js';
import { type ProviderServer, serve } from './support/provider-server.js';

const owner = { workspaceId: 'w1', agentId: 'a1' };
const token = 'secret-token-0123';
const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function providerOf(
  answer: Parameters<typeof serve>[0],
  options: Partial<HttpProviderOptions> = {},
): Promise<HttpProvider> {
  const server = await serve(answer);
  servers.push(server);
  return new HttpProvider({ url: server.url, token, ...owner, ...options });
}

const answering = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  providerOf((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

const retain = (provider: HttpProvider, signal?: AbortSignal) =>
  provider.retain({ ...owner, tier: 'AGENT', content: 'A note.', mode: 'append' }, signal);

const problem = (code: string, details: object = {}) => ({ error: { code, message: 'their words', details } });

describe('a server that', () => {
  it.each([
    [400, problem('INVALID_REQUEST'), 'ProviderInvalid', 'INVALID_REQUEST'],
    [403, problem('FORBIDDEN'), 'ProviderInvalid', 'FORBIDDEN'],
    [409, problem('LEGAL_HOLD'), 'ProviderInvalid', 'LEGAL_HOLD'],
    [413, '<html>413</html>', 'ProviderInvalid', 'PAYLOAD_TOO_LARGE'],
    [422, problem('DOCUMENT_SIZE_EXCEEDED'), 'ProviderInvalid', 'INVALID_REQUEST'],
    [422, problem('CONTENT_BLOCKED', { category: 'exfiltration', rule: 'r-1' }), 'ProviderInvalid', 'CONTENT_BLOCKED'],
    [401, problem('UNAUTHENTICATED'), 'ProviderUnavailable', undefined],
    [404, 'their words', 'ProviderUnavailable', undefined],
    [429, problem('QUOTA_EXCEEDED'), 'ProviderUnavailable', undefined],
    [500, 'their words: Error at /srv/app.js:1:2', 'ProviderUnavailable', undefined],
    [302, '', 'ProviderUnavailable', undefined],
    [200, 'their words', 'ProviderUnavailable', undefined],
    [200, { id: 7 }, 'ProviderUnavailable', undefined],
  ])('responds with %i %j is reported with a fixed message', async (status, body, name, code) => {
    const provider = await answering(status, body, status === 302 ? { location: 'http://127.0.0.1:1/' } : {});
    const error = await retain(provider).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name, ...(code === undefined ? {} : { code }) });
    expect(inspect(error)).not.toMatch(/their words|html|srv|secret-token/);
  });

  it('reports an exceeded cap is reported with the sizes', async () => {
    const details = { tier: 'AGENT', cap: 4000, projected: 4100, current: 3900 };
    await expect(retain(await answering(422, problem('TIER_CAP_EXCEEDED', details)))).rejects.toMatchObject({
      code: 'TIER_CAP_EXCEEDED',
      details,
      message: expect.stringContaining('4100'),
    });
  });

  it('never responds ends in a timeout, or with the signal', async () => {
    const provider = await providerOf(() => {}, { timeoutMs: 50 });
    await expect(retain(provider)).rejects.toMatchObject({ name: 'ProviderTimeout' });
    const patient = await providerOf(() => {});
    const [stop, reason] = [new AbortController(), new Error('enough')];
    const call = retain(patient, stop.signal);
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('does not exist is unreachable', async () => {
    const provider = new HttpProvider({ url: 'http://127.0.0.1:1', token, ...owner });
    await expect(retain(provider)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(await provider.health()).toMatchObject({ ok: false, message: 'The memory service is unreachable.' });
  });

  it('never responds to a health check is unhealthy after our own deadline', async () => {
    const provider = await providerOf(() => {});
    expect(await provider.health()).toMatchObject({ ok: false, message: 'health check timeout' });
  });

  it.each([
    [200, { ok: true, checked_at: 'x' }, { ok: true }],
    [200, { ok: false, message: 'the store does not answer' }, { ok: false, message: 'the store does not answer' }],
    [200, { ok: false, message: '<script>' }, { ok: false, message: 'the server is unhealthy' }],
    [503, 'down', { ok: false, message: 'the server responded with status 503' }],
  ])('responds to a health check with %i %j', async (status, body, expected) => {
    expect(await (await answering(status, body)).health()).toMatchObject(expected);
  });

  it('returns more hits than requested has them cut off', async () => {
    const hit = { source: 'AGENT.md', snippet: 'x', line: 1, score: 1, extra: 'dropped' };
    const provider = await answering(200, { hits: Array.from({ length: 30 }, () => hit), quarantined: [] });
    const { hits, quarantined } = await provider.recall({ ...owner, query: 'x', limit: 30 });
    expect(hits).toHaveLength(20);
    expect(hits[0]).toEqual({ source: 'AGENT.md', snippet: 'x', line: 1, score: 1 });
    expect(quarantined).toBeUndefined();
  });
});

it('sends wire names, the token in its header, and no invalid requests', async () => {
  const seen: { authorization: string | undefined; body: string }[] = [];
  const provider = await providerOf(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ authorization: request.headers.authorization, body });
    response.end(JSON.stringify({ removed: 3, receipt_id: 'r1' }));
  });
  expect(await provider.forget({ ...owner, dataSubjectId: 'u1' })).toEqual({ removed: 3, receiptId: 'r1' });
  await expect(provider.forget({ ...owner, agentId: 'a2', id: 'AGENT.md' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(seen).toEqual([
    { authorization: `Bearer ${token}`, body: '{"workspace_id":"w1","agent_id":"a1","data_subject_id":"u1"}' },
  ]);
  expect(inspect(provider, { depth: 9, showHidden: true })).not.toContain(token);
});

describe('a plugin that', () => {
  async function pluginOf(answer: Parameters<typeof serve>[0], timeoutMs?: number) {
    const server = await serve(answer);
    servers.push(server);
    return new PluginProvider({ url: server.url, ...owner, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  }

  it.each([
    ['rejects everything', 500, '{}'],
    ['sends malformed responses', 200, '{"memories":7}'],
    ['is not a plugin', 200, '<html>'],
  ])('%s is unavailable', async (_name, status, body) => {
    const provider = await pluginOf((_request, response) => response.writeHead(status).end(body));
    await expect(provider.recall({ ...owner, query: 'x' })).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    await expect(provider.read({ ...owner, tier: 'AGENT' })).rejects.toMatchObject({ name: 'ProviderUnavailable' });
  });

  it('is degraded is reported as degraded', async () => {
    const provider = await pluginOf((_request, response) => response.writeHead(503).end('{"status":"degraded"}'));
    expect(await provider.health()).toMatchObject({ ok: false, message: 'the plugin is degraded' });
  });

  it('returns memories of others has none of them shown', async () => {
    const memory = { id: '00000000-0000-8000-8000-000000000000', namespace: 'custom:x', content: 'AGENT.md\nobey x' };
    const body = JSON.stringify({ status: 'ok', capabilities: ['fts'], memories: [memory, null, { id: 7 }] });
    const provider = await pluginOf((_request, response) => response.end(body));
    expect(await provider.recall({ ...owner, query: 'obey' })).toEqual({ hits: [] });
  });
});
