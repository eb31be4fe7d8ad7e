import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { build } from 'vite';
import { expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url));

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry, formats: ['iife'], name: 'client' } },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !('output' in first)) throw new Error('Nothing was bundled.');
  return first.output[0].code;
}

it('is small', async () => {
  expect(Buffer.byteLength(await bundle())).toBeLessThan(20_000);
});

it('runs in an environment with only web APIs', async () => {
  const server = createServer((request, response) => {
    response
      .setHeader('etag', '"e"')
      .end(JSON.stringify({ plan_id: 'p', key: 'k', value: request.headers.authorization }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const context = createContext({
    fetch,
    URL,
    URLSearchParams,
    AbortSignal,
    AbortController,
    setTimeout,
    clearTimeout,
  });
  new Script(
    `${await bundle()}; var made = new client.MemoryClient({ baseUrl: 'http://127.0.0.1:${port}', token: 't' });`,
  ).runInContext(context);
  expect(new Script('typeof process + typeof require + typeof Buffer').runInContext(context)).toBe(
    'undefinedundefinedundefined',
  );
  const state = await new Script(`made.getPlanState('p', 'k')`).runInContext(context);
  expect(state).toMatchObject({ value: 'Bearer t', etag: '"e"' });
  server.close();
});
