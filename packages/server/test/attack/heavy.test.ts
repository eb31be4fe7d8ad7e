import { afterAll, beforeAll, expect, it } from 'vitest';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { type AttackedRoute, attackedRoutes, requestTo, textMembersOf } from '../support/attack-requests.js';
import { type AttackedServer, countTurns, startAttacked } from '../support/attacked-server.js';
import { describeOneDatabase } from '../support/databases.js';
import { type Answer, send } from '../support/server.js';

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
  let server: AttackedServer;
  beforeAll(async () => {
    server = await startAttacked(database());
  });
  afterAll(() => server?.stop());

  it('end no process, and none is answered with an error of the server', { timeout: timeoutMs }, async (context) => {
    const failed: unknown[] = [];
    let inputs = 0;
    let memory = 0;
    for (const attacked of writing) {
      for (const call of heavyCalls(attacked)) {
        const { status }: Answer = await send(server.url, { ...call, token: server.token });
        inputs += 1;
        if (status >= 500) failed.push({ operation: attacked.route.operation, status });
      }
      memory = Math.max(memory, await server.memoryMiB());
    }
    report(context, 'heavy inputs', { inputs });
    if (isFull) {
      const turns = server.longTurns();
      report(context, 'heavy inputs', countTurns(turns));
      const highest = { 'longest turn, ms': Math.max(0, ...turns), 'largest memory, MiB': memory };
      report(context, 'heavy inputs', highest, 'highest');
    }
    expect(failed).toEqual([]);
  });
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
