import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { discoverKeySet, metadataAddresses } from './discover-key-set.js';

describe('the metadata of an issuer', () => {
  let stop = () => {};
  afterEach(() => stop());

  async function serve(answer: (issuer: string) => RequestListener): Promise<string> {
    const server = createServer((request, response) => answer(issuer)(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;
    stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return issuer;
  }
  const json =
    (value: unknown): RequestListener =>
    (_request, response) =>
      response.end(JSON.stringify(value));

  it('is looked for in the order of the specification', () => {
    expect(metadataAddresses('https://id.example')).toEqual([
      'https://id.example/.well-known/oauth-authorization-server',
      'https://id.example/.well-known/openid-configuration',
    ]);
    expect(metadataAddresses('https://id.example/a/')).toEqual([
      'https://id.example/.well-known/oauth-authorization-server/a',
      'https://id.example/.well-known/openid-configuration/a',
      'https://id.example/a/.well-known/openid-configuration',
    ]);
  });

  it.each(['https://keys.example/jwks', 'own'])('may name the key set %s', async (address) => {
    const issuer = await serve((own) =>
      json({ issuer: own, jwks_uri: address.replace('own', new URL('/keys', own).href) }),
    );
    expect((await discoverKeySet(issuer)).href).toMatch(/keys/);
  });

  it.each([
    'http://keys.example/jwks',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/jwks',
    'https://[::1]/jwks',
    'https://localhost/jwks',
    'http://127.0.0.1:1/jwks',
    'https://user:secret@keys.example/jwks',
    'file:///etc/passwd',
  ])('may not name the key set %s', async (address) => {
    const issuer = await serve((own) => json({ issuer: own, jwks_uri: address }));
    await expect(discoverKeySet(issuer)).rejects.toThrow('neither on the host of the issuer nor an https address');
  });

  const cases: [string, (own: string) => RequestListener, string][] = [
    [
      'of another issuer',
      () => json({ issuer: 'https://evil.example', jwks_uri: 'https://x.example' }),
      'names the issuer',
    ],
    ['without a key set', (own) => json({ issuer: own }), 'has no jwks_uri'],
    ['that is no object', () => json(['x']), 'does not answer with a JSON object'],
    ['that is missing', () => (_request, response) => response.writeHead(404).end(), 'publishes no metadata at'],
    ['that fails', () => (_request, response) => response.writeHead(500).end(), 'answers with status 500'],
    ['that is too large', () => (_request, response) => response.end(' '.repeat(300_000)), 'more than 262144 bytes'],
    [
      'that redirects',
      () => (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'fetch failed',
    ],
  ];
  it.each(cases)('is not used if it is one %s', async (_what, answer, message) => {
    await expect(discoverKeySet(await serve(answer))).rejects.toThrow(message);
  });
});
