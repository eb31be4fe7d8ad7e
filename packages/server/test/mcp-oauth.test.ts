import { connect, createServer, type Server } from 'node:net';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from './support/authorization-server.js';
import { cheapestKind, createTestDatabase, describeOneDatabase } from './support/databases.js';
import { forgeToken } from './support/forge-token.js';
import { type IssuerStandIn, startIssuer } from './support/issuer-stand-in.js';
import { keepLog } from './support/keep-log.js';
import { type Answer, send, startTestServer, type TestServer } from './support/server.js';

const redirect = 'http://127.0.0.1:1/callback';
const accept = { accept: 'application/json, text/event-stream' };

/** What a client of the MCP SDK keeps. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl = redirect;
  readonly clientMetadata: OAuthClientMetadata = {
    ...{ client_name: 'test', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
  };
  address: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (address: URL) => {
    this.address = address;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

/** Forwards to the server, whose port is known only once it runs. */
async function startProxy(): Promise<{ url: string; forwardTo(url: string): void; server: Server }> {
  let port = 0;
  const server = createServer((socket) => {
    const far = connect(port, '127.0.0.1');
    socket.pipe(far).pipe(socket);
    for (const end of [socket, far]) end.on('error', () => [socket, far].map((one) => one.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const forwardTo = (to: string) => {
    port = Number(new URL(to).port);
  };
  return { url, forwardTo, server };
}

describeOneDatabase('/mcp with an authorization server', (database) => {
  const { logger, log } = keepLog();
  let idp: AuthorizationServer;
  let globex: IssuerStandIn;
  let shared: IssuerStandIn;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let server: TestServer;
  let resource: string;
  beforeAll(async () => {
    [idp, globex, shared, proxy] = await Promise.all([
      startAuthorizationServer(() => 'acme'),
      startIssuer('/globex/v2'),
      startIssuer(),
      startProxy(),
    ]);
    resource = `${proxy.url}/mcp`;
    const issuers = [
      `${idp.issuer}=acme`,
      `${globex.issuer.replace('/globex/', '/{tenant}/')}=globex`,
      `${shared.issuer}=t1|t2`,
    ];
    server = await startTestServer(database(), { publicUrl: proxy.url, oauthIssuers: issuers.join(',') }, logger);
    proxy.forwardTo(server.url);
  });
  afterAll(async () => {
    await server.close();
    proxy.server.close();
    for (const one of [globex, shared]) one.stop();
    await idp.close();
  });

  const post = (token: string | undefined, method = 'tools/list', params: object = {}): Promise<Answer> =>
    send(proxy.url, {
      ...{ method: 'POST', path: '/mcp', headers: accept, body: { jsonrpc: '2.0', id: 1, method, params } },
      ...(token === undefined ? {} : { token }),
    });
  const remember = { name: 'commit_memory', arguments: { content: 'The harbour opens at six.' } };

  it('lets the client of the MCP SDK log in and remember', async () => {
    const keeper = new Keeper();
    const connectClient = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: keeper });
      const client = new Client({ name: 'test', version: '1' });
      return { transport, client, connecting: client.connect(transport as Transport) };
    };
    const first = await connectClient();
    await expect(first.connecting).rejects.toThrow(UnauthorizedError);
    expect(keeper.address?.origin).toBe(idp.issuer);
    expect(keeper.address?.searchParams.get('resource')).toBe(resource);
    expect(keeper.address?.searchParams.get('scope')).toBe('memory:read memory:write');
    const landed = await idp.authorize(keeper.address as URL, 'ann');
    await first.transport.finishAuth(landed.searchParams.get('code') ?? '');
    const second = await connectClient();
    await second.connecting;
    expect((await second.client.listTools()).tools).toHaveLength(6);
    const stored = await second.client.callTool(remember);
    expect(stored.isError).toBeFalsy();
    await second.client.close();
    const own = await server.token({ tenant: 'acme', user: 'ann' });
    const { memory_id: id } = stored.structuredContent as { memory_id: string };
    expect((await server.call({ path: `/v1/memories/${id}`, token: own })).status).toBe(200);
    // It was issued for /mcp, and for nothing else.
    const elsewhere = await server.call({ path: `/v1/memories/${id}`, token: keeper.tokens()?.access_token ?? '' });
    expect(elsewhere.status).toBe(401);
  });

  it('says in its metadata and in the challenge where to get tokens, whatever the Host header is', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      const { body, headers } = await send(server.url, { path, headers: { origin: 'https://app.example' } });
      expect(body).toEqual({
        resource,
        resource_name: 'Memhall',
        authorization_servers: [idp.issuer, globex.issuer, shared.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['memory:read', 'memory:write'],
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    const metadata = `resource_metadata="${proxy.url}/.well-known/oauth-protected-resource/mcp"`;
    const scopes = 'scope="memory:read memory:write"';
    for (const url of [server.url, proxy.url]) {
      const answer = await send(url, { method: 'POST', path: '/mcp', headers: accept, body: {} });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer ${scopes}, ${metadata}`);
    }
    const invalid = await post('nonsense');
    expect(invalid.status).toBe(401);
    expect(invalid.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${scopes}, ${metadata}`);
  });

  it('accepts tokens of each issuer for its own tenants', async () => {
    expect((await post(await globex.sign({ aud: resource }))).status).toBe(200);
    expect((await post(await globex.sign({ aud: ['other', resource], tenant_id: 'globex' }))).status).toBe(200);
    for (const tenant of ['t1', 't2'])
      expect((await post(await shared.sign({ aud: resource, tenant_id: tenant }))).status).toBe(200);
    const wrong = await post(await globex.sign({ aud: resource, tenant_id: 'acme' }));
    expect(wrong.status).toBe(403);
    expect(wrong.body.error.message).toBe(`The issuer ${globex.issuer} may not issue tokens for this tenant.`);
    const none = await post(await shared.sign({ aud: resource }));
    expect(none.body.error.message).toContain('tenant_id claim');
    expect(none.status).toBe(401);
  });

  it('still accepts its own tokens, which no scope limits', async () => {
    expect((await post(await server.token({ user: 'ann' }), 'tools/call', remember)).body.result.isError).toBeFalsy();
  });

  it.each([
    [
      'for another resource',
      { aud: 'https://other.example/mcp' },
      /issued for something else\. Get one for the resource http/,
    ],
    ['for the host alone', { aud: 'http://127.0.0.1' }, /issued for something else/],
    ['for nothing', {}, /issued for something else/],
    ['that has expired', { exp: 1_000_000 }, /has expired/],
    ['without an end', { exp: undefined }, /not valid/],
    ['of an unknown issuer', { iss: 'https://evil.example' }, /not (valid|accepted)/],
  ])('rejects a token %s', async (what, claims, message) => {
    const refused = await post(await globex.sign({ ...(what.startsWith('for') ? {} : { aud: resource }), ...claims }));
    expect(refused.status).toBe(401);
    expect(refused.body.error.message).toMatch(message);
  });

  it('rejects a token that is signed with a secret, or by another issuer', async () => {
    const claims = { iss: globex.issuer, aud: resource, tenant_id: 'globex' };
    expect((await post(forgeToken(claims))).status).toBe(401);
    expect((await post(await shared.sign(claims))).status).toBe(401);
  });

  it('asks for the scope that a call needs', async () => {
    const reader = await globex.sign({ aud: resource, scope: 'openid memory:read' });
    expect((await post(reader, 'tools/call', { name: 'search_memory' })).status).toBe(200);
    const refused = await post(reader, 'tools/call', remember);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN', details: { scope: 'memory:read memory:write' } });
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="memory:read memory:write", resource_metadata="/,
    );
    const nothing = await post(await globex.sign({ aud: resource, scope: 'openid' }));
    expect(nothing.status).toBe(403);
    expect(nothing.headers.get('www-authenticate')).toContain('scope="memory:read"');
    const listed = await globex.sign({ aud: resource, scope: undefined, scp: ['memory:write'] });
    expect((await post(listed, 'tools/call', remember)).status).toBe(200);
  });

  it('asks an issuer once, and fetches nothing for others', async () => {
    const before = globex.asked.length;
    await Promise.all([1, 2, 3].map(async (n) => post(await globex.sign({ aud: resource, jti: `${n}` }))));
    expect(globex.asked).toHaveLength(before);
    expect(globex.asked.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it('answers 503 while an issuer cannot be asked, and logs why', async () => {
    const broken = await startIssuer();
    broken.metadata = { issuer: 'https://somebody.example' };
    const own = await createTestDatabase(cheapestKind);
    const settings = { publicUrl: 'https://memory.example', oauthIssuers: `${broken.issuer}=t1` };
    const other = await startTestServer(own, settings, logger);
    try {
      const token = await broken.sign({ aud: 'https://memory.example/mcp' });
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const answer = await send(other.url, { method: 'POST', path: '/mcp', headers: accept, body, token });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('10');
      expect(log()).toContain(`The issuer ${broken.issuer} cannot be used: its metadata names the issuer`);
    } finally {
      await other.close();
      await own.remove();
      broken.stop();
    }
  });
});
