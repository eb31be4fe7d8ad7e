import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TargetUnreachable, WrongUse } from '../src/faults.js';
import { PluginCaller } from '../src/plugin/plugin-caller.js';
import { connectToPlugin } from '../src/plugin/plugin-session.js';
import { parseTarget } from '../src/plugin/plugin-target.js';

const never = new AbortController().signal;

describe('a target', () => {
  it.each([
    ['http://127.0.0.1:9100', { protocol: 'http:', hostname: '127.0.0.1', port: '9100', prefix: '' }],
    ['http://[::1]:9100/', { protocol: 'http:', hostname: '::1', port: '9100', prefix: '' }],
    ['https://plugin.example/memory/', { protocol: 'https:', hostname: 'plugin.example', prefix: '/memory' }],
    ['unix:/run/plugin.sock', { protocol: 'http:', socketPath: '/run/plugin.sock', prefix: '' }],
  ])('can be %s', (url, address) => {
    expect(parseTarget(url)).toEqual(address);
  });

  it.each(['', 'plugin', 'ftp://plugin', 'unix:plugin.sock', 'http://me:secret@plugin', 'http://plugin/?a=1'])(
    'cannot be %j',
    (url) => {
      expect(() => parseTarget(url)).toThrow(WrongUse);
    },
  );
});

describe('calls', () => {
  const seen: IncomingMessage[] = [];
  let respond: ((request: IncomingMessage) => string | undefined) | undefined;
  const server = createServer((request, response) => {
    seen.push(request);
    const text = respond?.(request);
    if (text !== undefined) response.end(text);
  });
  const listening = new Promise<string>((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  afterEach(() => {
    seen.length = 0;
    server.closeAllConnections();
  });

  it('reach the target unchanged, with the token', async () => {
    respond = () => '{"a": 1}';
    const caller = new PluginCaller(parseTarget(`${await listening}/prefix`), 'shared', 5000);
    const { status, body } = await caller.call({ method: 'DELETE', path: '/v1/a/../%2e%2e/%zz', body: {} }, never);
    caller.close();
    expect({ status, body }).toEqual({ status: 200, body: { a: 1 } });
    expect(seen[0]?.url).toBe('/prefix/v1/a/../%2e%2e/%zz');
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer shared', 'content-type': 'application/json' });
  });

  it('end at their timeout and when the run is aborted', async () => {
    respond = () => undefined;
    const caller = new PluginCaller(parseTarget(await listening), undefined, 50);
    await expect(caller.call({ method: 'GET', path: '/x' }, never)).rejects.toThrow(/got no response within 50 ms/);
    const stopping = new AbortController();
    const patient = new PluginCaller(parseTarget(await listening), undefined, 60_000);
    const call = patient.call({ method: 'GET', path: '/x' }, stopping.signal);
    stopping.abort();
    await expect(call).rejects.toThrow(/the run was aborted/);
    caller.close();
    patient.close();
  });

  it('need a reachable target', async () => {
    await expect(connectToPlugin({ url: 'http://127.0.0.1:1' }, never)).rejects.toThrow(TargetUnreachable);
    await expect(connectToPlugin({ url: 'unix:/nowhere/plugin.sock' }, never)).rejects.toThrow(TargetUnreachable);
  });

  it('treat a foreign response as a plugin without capabilities', async () => {
    respond = () => 'hello';
    const session = await connectToPlugin({ url: await listening }, never);
    expect(session.capabilities).toEqual([]);
    await session.close();
    server.close();
  });
});
