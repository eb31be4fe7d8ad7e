import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumer, compile, tarballOf } from './support/consumer.js';
import { readSnippets, type Snippet } from './support/read-snippets.js';
import { isRun, toModule, unusedExclusions } from './support/snippet-context.js';
import { addPrograms, toScript } from './support/snippet-programs.js';
import { startTestModel } from './support/test-model.js';

const snippets = readSnippets();
const pages = [...new Set(snippets.map(({ page }) => page))];
const of = (page: string, language: string) =>
  snippets.filter((snippet) => snippet.page === page && snippet.language === language && isRun(snippet));
const programs = pages.flatMap((page) => of(page, 'ts').map((snippet, n) => ({ snippet, name: nameOf(snippet, n) })));

const packages = ['memhall', '@memhall/client', '@memhall/agent', '@memhall/conformance', '@memhall/core'];
const others = ['ai', '@ai-sdk/openai-compatible'];
const types = ['@types/node@20', '@types/json-schema@7'];

let consumer: Consumer;
let server: ChildProcess | undefined;
let model: { url: string; server: Server } | undefined;
const ports = { main: '', plugin: '' };
const environment: Record<string, string> = {};

beforeAll(async () => {
  consumer = new Consumer();
  const [, started] = await Promise.all([
    consumer.install(...packages.map(tarballOf), ...others.map(asInRepository), ...types),
    startTestModel(),
  ]);
  // npm cannot resolve every mix of its packages, so they are those of this repository.
  consumer.link('@langchain');
  model = started;
  addPrograms(consumer);
  server = spawn(
    process.execPath,
    [
      join(consumer.directory, 'node_modules/memhall/bin/memhall.js'),
      'serve',
      '--port',
      '0',
      '--plugin-port',
      '0',
      '--json',
    ],
    { cwd: consumer.directory, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  for await (const line of server.stdout ?? []) {
    const { url, plugin_url } = JSON.parse(String(line));
    ports.main = new URL(url).port;
    ports.plugin = new URL(plugin_url).port;
    break;
  }
  Object.assign(environment, { URL: `http://127.0.0.1:${ports.main}`, MODEL_URL: model.url });
  environment.TOKEN = await token('--user', 'me');
  environment.SERVICE_TOKEN = await token('--user', 'orchestrator', '--service', 'orchestrator', '--role', 'service');
  environment.ACME_TOKEN = await token('--tenant', 'acme', '--user', 'alice');
  await Promise.all(['Anna', 'Mum'].map(stateFact));
});

afterAll(() => {
  server?.kill();
  model?.server.close();
  consumer.remove();
});

describe('the code in the README files and the guide', () => {
  it('excludes nothing that is gone', () => {
    expect(snippets.length).toBeGreaterThan(60);
    expect(unusedExclusions(snippets)).toEqual([]);
  });

  it('is JSON where it says so', () => {
    for (const { code } of snippets.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(code)).not.toThrow();
  });

  it.each(['nodenext', 'bundler'])('has the right types with moduleResolution %s', async (moduleResolution) => {
    for (const { snippet, name } of programs) consumer.write(`${name}.ts`, atPorts(toModule(snippet)));
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const compilerOptions = {
      target: 'ES2023',
      module,
      moduleResolution,
      strict: true,
      noImplicitAny: false,
      types: ['node'],
    };
    consumer.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, files: programs.map(({ name }) => `${name}.ts`) }),
    );
    await compile(consumer, 'tsconfig.json');
  });

  it.each(pages.filter((page) => of(page, 'sh').length > 0))('runs on the command line: %s', async (page) => {
    consumer.write('page.sh', atPorts(toScript(of(page, 'sh').map(({ code }) => code))));
    await consumer.execute('bash', ['page.sh'], { variables: environment });
  });

  it.each(programs)('runs: $name', async ({ name, snippet }) => {
    // The last user whose key the command line got.
    const { user_key } = JSON.parse(readFileSync(join(consumer.directory, 'last.json'), 'utf8'));
    const TOKEN = snippet.page.includes('documents') ? environment.ACME_TOKEN : environment.TOKEN;
    const page = `pages/${name.replace(/-\d+$/, '')}`;
    const memory = { provider: 'local', workspaceId: 'w1', agentId: 'a1', local: { root: 'memory/a1' } };
    consumer.write(
      `${page}/.beaver/config.json`,
      snippet.page.includes('providers') ? JSON.stringify({ memory }) : '{}',
    );
    await consumer.execute(process.execPath, [join(consumer.directory, `${name}.js`)], {
      variables: { ...environment, USER_KEY: user_key, TOKEN },
      directory: page,
    });
  });
});

/** Newer versions must not fail the tests of an old commit. */
function asInRepository(name: string): string {
  const manifest = new URL(`../../../../node_modules/${name}/package.json`, import.meta.url);
  return `${name}@${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
}

function nameOf({ page }: Snippet, n: number): string {
  return `${page.replace(/\.md$/, '').replace(/\W+/g, '-').toLowerCase()}-${n + 1}`;
}

/** The ports of the pages may be in use. */
function atPorts(code: string): string {
  return code
    .replaceAll('127.0.0.1:8010', `127.0.0.1:${ports.main}`)
    .replaceAll('127.0.0.1:9100', `127.0.0.1:${ports.plugin}`);
}

async function token(...parameters: string[]): Promise<string> {
  const { stdout } = await consumer.run(
    'node_modules/memhall/bin/memhall.js',
    'token',
    '--tenant',
    'default',
    ...parameters,
  );
  return stdout.trim();
}

/** The guide to facts shows the pages of these subjects. */
async function stateFact(subject: string): Promise<void> {
  const response = await fetch(`${environment.URL}/v1/facts`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${environment.TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subject, attribute: 'likes', value: 'tea' }),
  });
  expect(response.status).toBe(201);
}
