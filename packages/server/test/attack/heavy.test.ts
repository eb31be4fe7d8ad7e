import { beforeAll, expect, it } from 'vitest';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { type AttackedRoute, attackedRoutes, requestTo, textMembersOf } from '../support/attack-requests.js';
import { flagsOf, type ServerProcess, spawnServer } from '../support/command.js';
import { describeOneDatabase } from '../support/databases.js';
import { forgeSecret, forgeToken } from '../support/forge-token.js';
import { type Answer, send, startTestServer } from '../support/server.js';

/** Below the limit of a body, and of most texts in it. */
const sizes = isFull ? [190_000, 300_000] : [2000];

const repeated = (seed: string) => (size: number) => seed.repeat(Math.ceil(size / seed.length)).slice(0, size);
/** Texts that are slow to read for one function or another: see `benchmarks/growth/functions.mjs`. */
const texts: Record<string, (size: number) => string> = {
  'spaces inside': (size) => `x${' '.repeat(size)}x`,
  'blank lines': repeated('\n'),
  list: repeated('- a\n'),
  table: repeated('|a|b\n'),
  Chinese: repeated('日本'),
  orders: repeated('ignore '),
  secrets: repeated('A_TOKEN=a= '),
  clauses: repeated('I like a, '),
};

const known = {
  ...{ tenant_id: 't1', user_id: 'u1', workspace_id: 'u1', agent_id: 'a', plan_id: 'p', key: 'k', session_id: 'a:s' },
  ...{
    task_id: 't',
    conversation_id: 'c',
    profile_id: 'project-copilot-v1',
    binding_id: 'user_dynamic',
    tier: 'lessons',
  },
};

const writing = attackedRoutes.filter(
  ({ listener, route }) =>
    listener === 'main' &&
    route.request.body !== undefined &&
    !route.upload &&
    !/erase|mcp|Revocations/.test(route.operation),
);

describeOneDatabase('heavy inputs', (database) => {
  let url: string;
  let token: string;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    token = forgeToken({ roles: ['admin'] });
    if (!isFull) {
      const server = await startTestServer(database(), { jwtSecret: forgeSecret });
      [url, stop] = [server.url, server.close];
      return;
    }
    // Other tests turn off what makes code fast and takes time at first.
    const environment = {
      NODE_OPTIONS: '',
      MEMHALL_JWT_SECRET: forgeSecret,
      MEMHALL_STALL_MS: '50',
      MEMHALL_LOG_LEVEL: 'error',
    };
    const process: ServerProcess = await spawnServer(flagsOf(database()), environment);
    url = process.url;
    stop = () => {
      process.child.kill();
      return process.ended;
    };
  });

  it('end no process, and none is answered with an error of the server', { timeout: timeoutMs }, async (context) => {
    const failed: unknown[] = [];
    let inputs = 0;
    let memory = 0;
    for (const attacked of writing) {
      for (const call of heavyCalls(attacked)) {
        const { status }: Answer = await send(url, { ...call, token });
        inputs += 1;
        if (status >= 500) failed.push({ operation: attacked.route.operation, status });
      }
      memory = Math.max(memory, await readMetric('process_resident_memory_bytes'));
    }
    report(context, 'heavy inputs', { inputs });
    if (isFull) {
      const stalls = await readMetric('memhall_event_loop_stall_seconds_count');
      const short = await readMetric('memhall_event_loop_stall_seconds_bucket', 'le="0.25"');
      report(context, 'heavy inputs', { 'stalls over 50 ms': stalls, 'stalls over 250 ms': stalls - short });
      report(context, 'heavy inputs', { 'largest memory, MiB': Math.round(memory / 2 ** 20) }, 'highest');
    }
    await stop();
    expect(failed).toEqual([]);
  });

  /** Returns the sum of a metric over its labels, or over those with one of them. */
  async function readMetric(name: string, label = ''): Promise<number> {
    const { body } = await send(url, { path: '/metrics' });
    const values = [
      ...(body as string).matchAll(
        new RegExp(`^${name}(?:\\{[^}]*${label}[^}]*\\})${label === '' ? '?' : ''} (\\S+)$`, 'gm'),
      ),
    ];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  }
});

/** Returns calls with each text of the request in turn replaced with each heavy one. */
function* heavyCalls(attacked: AttackedRoute) {
  for (const member of textMembersOf(attacked.route.request.body)) {
    if (Object.hasOwn(known, member)) continue;
    for (const make of Object.values(texts).slice(0, isFull ? undefined : 1)) {
      for (const size of sizes) {
        const { form: _, ...call } = requestTo(attacked, { ...known, [member]: make(size) });
        yield call;
      }
    }
  }
}
