import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mainSurfaces } from '../src/composition/surfaces.js';
import { version } from '../src/composition/version.js';
import { jobNames } from '../src/jobs/jobs.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { RawConnection } from './support/raw-http.js';
import { send, useServer } from './support/server.js';

const routes = mainSurfaces.flatMap((surface) =>
  surface.routes.map(({ operation, method, path }) => ({ operation, method, path })),
);

describeOneDatabase('operations', (database) => {
  const server = useServer(database);
  const open = (path: string, headers: Record<string, string> = {}) => send(server().url, { path, headers });

  describe('/health and /ready', () => {
    const well = { status: 'ok', api: { status: 'ok' }, backend: { status: 'ok' } };

    it('reports a healthy server to anyone', async () => {
      expect(await open('/health')).toMatchObject({ status: 200, body: well });
      expect((await open('/health')).body).toEqual(well);
      expect(await open('/ready')).toMatchObject({ status: 200, body: { ready: true } });
    });

    it('adds no details for an invalid or non-operator token', async () => {
      for (const authorization of [
        'Bearer nonsense',
        'Basic x',
        '',
        `Bearer ${await server().token({ roles: ['admin'] })}`,
      ]) {
        const answer = await open('/health', { authorization });
        expect([answer.status, answer.body]).toEqual([200, well]);
      }
    });

    it('reports the database, the embedder and the jobs to an operator', async () => {
      const token = await server().token({ roles: ['operator'] });
      const { body } = await server().call({ path: '/health', token });
      expect(body).toEqual({
        ...well,
        database: {
          kind: database().kind,
          server_version: expect.stringMatching(/^\d+/),
          vector_version: expect.stringMatching(/^\d+\.\d+/),
          schema_version: expect.any(Number),
          size_bytes: expect.any(Number),
        },
        embedder: null,
        capabilities: ['fts', 'ttl', 'pin', 'propagation'],
        version,
        indexing: { waiting: 0, lag_seconds: 0 },
        token_revocations: { status: 'ok', entries: 0, age_seconds: expect.any(Number) },
        audit_log: { unsigned_records: 0, witness: null, waiting_heads: 0, waiting_seconds: 0 },
        jobs: jobNames.map((name) => ({ name, waiting: 0, backlog_seconds: 0, dead_letters: 0 })),
      });
      expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
    });
  });

  describe('/metrics', () => {
    it('serves only local callers and operators', async () => {
      expect((await open('/metrics')).status).toBe(200);
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
        expectProblem(await open('/metrics', { [name]: '192.0.2.1' }), 'UNAUTHENTICATED');
      }
      const call = async (roles: string[]) =>
        server().call({
          path: '/metrics',
          headers: { 'x-forwarded-for': '192.0.2.1' },
          token: await server().token({ roles }),
        });
      expectProblem(await call([]), 'FORBIDDEN');
      expectProblem(await call(['admin']), 'FORBIDDEN');
      expect((await call(['operator'])).status).toBe(200);
    });

    it('needs a token under a name that is not loopback, which a web page could resolve to this machine', async () => {
      const ask = async (host: string, authorization = '') => {
        const connection = await RawConnection.open(server().url);
        await connection.send(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\n${authorization}Connection: close\r\n\r\n`);
        const status = (await connection.answer())?.status;
        connection.destroy();
        return status;
      };
      expect([await ask('evil.example'), await ask('192.0.2.1:8010')]).toEqual([401, 401]);
      expect([await ask('localhost:8010'), await ask('[::1]')]).toEqual([200, 200]);
      const operator = await server().token({ roles: ['operator'] });
      expect(await ask('metrics.example', `Authorization: Bearer ${operator}\r\n`)).toBe(200);
    });

    it('counts requests by operation and status, without ids or values', async () => {
      const token = await server().token({ tenant: 'tenant-x', user: 'user-x' });
      const path = '/v1/memory/working/plan-x/key-x';
      await server().call({ method: 'PUT', path, body: { value: 'value-x' }, token });
      await server().call({ path, token });
      await server().call({ path: `${path}-missing`, token });
      await open('/nowhere/user-x');
      const { body, headers } = await open('/metrics');
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
      expect(body).toMatch(/^memhall_request_duration_seconds_count\{operation="working.put",status="200"\} \d+$/m);
      expect(body).toMatch(/^memhall_request_duration_seconds_bucket\{.*operation="working.get",status="404"\} \d+$/m);
      expect(body).toMatch(/^memhall_problems_total\{code="NOT_FOUND"\} \d+$/m);
      expect(body).not.toMatch(/-x|\/v1|nowhere/);
    });

    it('reports the pool, the event loop and the store size', async () => {
      const { body } = await open('/metrics');
      const value = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1]);
      expect(value('memhall_pool_connections')).toBeGreaterThan(0);
      expect(value('memhall_pool_idle_connections')).toBeGreaterThanOrEqual(0);
      expect(value('memhall_pool_waiting_requests')).toBe(0);
      expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
      expect(value('memhall_store_size_bytes')).toBeGreaterThan(1_000_000);
    });
  });

  describe('/openapi.json', () => {
    it('lists every route exactly once', async () => {
      const { body } = await open('/openapi.json');
      expect(body.openapi).toBe('3.1.0');
      const listed = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => ({
          operation: operationId,
          method: method.toUpperCase(),
          path,
        })),
      );
      expect(listed).toHaveLength(routes.length);
      expect(listed).toEqual(expect.arrayContaining(routes));
      expect(new Set(listed.map(({ operation }) => operation)).size).toBe(routes.length);
    });

    it('declares every path parameter, resolves every reference and uses valid schemas', async () => {
      const { body } = await open('/openapi.json');
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      for (const [path, methods] of Object.entries<Record<string, Operation>>(body.paths)) {
        for (const operation of Object.values(methods)) {
          const parts = operation.parameters.filter((parameter) => parameter.in === 'path');
          expect(parts.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
          expect(parts.every(({ required }) => required)).toBe(true);
          for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
        }
      }
      for (const schema of findAll(body, 'schema'))
        expect(ajv.validateSchema(schema as object), JSON.stringify(schema)).toBe(true);
      for (const reference of findAll(body, '$ref')) expect(resolve(body, String(reference))).toBeDefined();
    });

    it('begins with what people do first, and ends with what administrators do', async () => {
      const { body } = await open('/openapi.json');
      const tags = (body.tags as { name: string; description: string }[]).map(({ name }) => name);
      expect([tags[0], tags.at(-1)]).toEqual(['One memory', 'Administration']);
      expect(Object.keys(body.paths).slice(0, 2)).toEqual(['/v1/remember', '/v1/recall']);
      for (const { description } of body.tags) expect(description).not.toBe('');
    });

    it('requires a token where the route does', async () => {
      const { paths } = (await open('/openapi.json')).body;
      expect(paths['/v1/memory/working/{plan_id}/{key}'].put.security).toEqual([{ token: [] }]);
      expect(Object.keys(paths['/v1/memory/working/{plan_id}/{key}'].put.responses)).toEqual(
        expect.arrayContaining(['200', '400', '401', '403', '412', '413', '415', '429', '500', '503']),
      );
      expect(paths['/health'].get.security).toEqual([]);
    });
  });

  describe('/docs', () => {
    it('is a page whose only script is on this server, and that can call nothing else', async () => {
      for (const [path, specification, script] of [
        ['/docs', '/openapi.json', '/docs/script.js'],
        ['/docs/plugin', '/openapi-plugin.json', '/docs/script.js'],
      ] as const) {
        const { body, headers } = await open(path);
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
        expect(body).not.toMatch(/https?:|\/\/|@import|url\(|<script(?![^>]*src=)/);
        const addresses = ['spec-url', 'src'].map((name) => new RegExp(`${name}="([^"]+)"`).exec(body)?.[1] ?? '');
        expect(addresses.map((one) => new URL(one, `http://host${path}`).pathname)).toEqual([specification, script]);
      }
    });

    it('has a script of a few hundred kilobytes and both descriptions', async () => {
      const { body, headers } = await open('/docs/script.js');
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(body.length).toBeGreaterThan(100_000);
      expect(body.length).toBeLessThan(1_000_000);
      expect((await open('/openapi-plugin.json')).body.paths).toHaveProperty('/v1/search');
    });
  });
});

interface Operation {
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, { description: string }>;
}

/** Returns every value under this name, at any depth. */
function findAll(node: unknown, name: string): unknown[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...findAll(value, name)]);
}

function resolve(document: unknown, reference: string): unknown {
  const step = (node: unknown, part: string) => (node as Record<string, unknown> | undefined)?.[part];
  return reference.replace(/^#\//, '').split('/').reduce(step, document);
}
