import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect, flagsOf, program, spawnServer } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { hasStrace } from './support/has-strace.js';
import { connectMcp } from './support/mcp-client.js';
import { send } from './support/server.js';
import { type NetworkTrace, traceNetwork } from './support/trace-network.js';

const library = fileURLToPath(new URL('../dist/index.js', import.meta.url));
const kept = 'The key is under the blue pot.';

describe.runIf(hasStrace('whether Memhall contacts other machines'))('with the default embedder', () => {
  describeEachDatabase('nothing but the database is contacted', (database) => {
    function startTrace(): NetworkTrace {
      const trace = traceNetwork();
      onTestFinished(() => trace.remove());
      return trace;
    }

    function expectQuiet({ contacted, leftAtHome }: NetworkTrace): void {
      const { databaseUrl } = database().flags;
      expect(contacted()).toEqual(databaseUrl === undefined ? [] : [new URL(databaseUrl).host]);
      expect(leftAtHome()).toEqual([]);
    }

    it('by a server', async () => {
      const trace = startTrace();
      const environment = { ...trace.environment, MEMHALL_EMBEDDER: 'local' };
      const server = await spawnServer(flagsOf(database()), environment, trace.wrapper);
      const call = (method: string, path: string, body: unknown) =>
        send(server.pluginUrl ?? '', { method, path: `/v1/${path}`, body });
      await call('PUT', 'namespaces/team:blue', { kind: 'team' });
      await call('POST', 'namespaces/team:blue/memories', { content: kept, kind: 'fact', source: 'user' });
      const { body } = await call('POST', 'search', { namespaces: ['team:blue'], query: 'Where is the key?' });
      expect(body).toMatchObject({ memories: [{ content: kept }] });
      server.child.kill('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0 });
      expectQuiet(trace);
    });

    it('by a program that uses the library, which also ends by itself', async () => {
      const trace = startTrace();
      const script = `
        import { openMemhall } from ${JSON.stringify(library)};
        const memory = (await openMemhall(${JSON.stringify(database().flags)})).as({ user: 'me' });
        await memory.remember(${JSON.stringify(kept)});
        const [best] = await memory.recall('Where is the key?');
        process.stdout.write(best.memory.content);`;
      const [file = '', ...rest] = [...trace.wrapper, process.execPath, '--input-type=module', '--eval', script];
      const ended = await collect(spawn(file, rest, { env: { ...process.env, ...trace.environment } }));
      expect(ended).toEqual({ code: 0, stdout: kept, stderr: '' });
      expectQuiet(trace);
    });

    it('by an MCP server', async () => {
      const trace = startTrace();
      const [command = '', ...args] = [...trace.wrapper, process.execPath, program, 'mcp', ...flagsOf(database())];
      const settings = { MEMHALL_EMBEDDER: 'local', MEMHALL_EMBEDDER_START: 'wait' };
      const env = { ...getDefaultEnvironment(), ...trace.environment, ...settings };
      const user = await connectMcp(new StdioClientTransport({ command, args, env, stderr: 'ignore' }) as Transport);
      await user.call('commit_memory', { content: kept });
      expect((await user.call('search_memory', { query: 'Where is the key?' })).memories).toHaveLength(1);
      await user.client.close();
      expectQuiet(trace);
    });
  });
});
