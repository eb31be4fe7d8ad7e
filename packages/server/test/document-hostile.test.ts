import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './support/expect-problem.js';
import { forgeToken } from './support/forge-token.js';
import { type LoggedServer, startLoggedServer } from './support/logged-server.js';
import { type Answer, send } from './support/server.js';

const path = '/v1/tenants/t1/users/u1/documents/projects/alpha.json';
const token = forgeToken();
const place = '/content/facets';

describe('hostile patches', () => {
  let server: LoggedServer;
  let keys = 0;
  beforeAll(async () => {
    server = await startLoggedServer();
    expect((await patch(JSON.stringify([{ op: 'add', path: place, value: { seed: 'x' } }]))).status).toBe(200);
  });
  afterAll(async () => {
    const { body } = await send(server.url, { path, token });
    expect(body.document.content).toEqual({ summary: '', facets: { seed: 'x' }, recent_notes: [] });
    expect((await send(server.url, { path: `${path}/history`, token })).body.versions).toHaveLength(1);
    expect(server.logLines().filter(({ level }) => level >= 50)).toEqual([]);
    await server.close();
  });

  /** Sends a patch. `ops` is JSON text and may be malformed. */
  async function patch(ops: string, more = ''): Promise<Answer> {
    keys += 1;
    const body = `{"profile_id":"project-copilot-v1","binding_id":"project_doc","reason":"live_update","ops":${ops}${more}}`;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': '*',
      'idempotency-key': `k${keys}`,
    };
    const response = await fetch(`${server.url}${path}`, { method: 'PATCH', headers, body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const adding = (value: string) => `[{"op":"add","path":"${place}/x","value":${value}}]`;
  const repeated = (operation: object, times: number) => JSON.stringify(Array(times).fill(operation));
  const doubling = Array.from({ length: 40 }, (_, index) => ({
    op: 'copy',
    from: place,
    path: `${place}/copy${index}`,
  }));

  it.each([
    ['a million characters', adding(`"${'x'.repeat(1_000_000)}"`), 'DOCUMENT_SIZE_EXCEEDED'],
    ['more than a mebibyte', adding(`"${'x'.repeat(1_050_000)}"`), 'PAYLOAD_TOO_LARGE'],
    ['100,000 lists in each other', adding('['.repeat(100_000) + ']'.repeat(100_000)), 'INVALID_REQUEST'],
    ['62 lists in each other', adding('['.repeat(62) + ']'.repeat(62)), 'INVALID_REQUEST'],
    ['NUL in a value', adding('"a\\u0000b"'), 'INVALID_REQUEST'],
    ['NUL in a name', adding('{"a\\u0000":1}'), 'INVALID_REQUEST'],
    ['NUL in a pointer', `[{"op":"add","path":"${place}/\\u0000","value":1}]`, 'INVALID_REQUEST'],
    ['half a surrogate pair', adding('"\\ud83d"'), 'INVALID_REQUEST'],
    ['half a surrogate pair in a pointer', `[{"op":"add","path":"${place}/\\udc00","value":1}]`, 'INVALID_REQUEST'],
    ['a number past all numbers', adding('1e999'), 'INVALID_REQUEST'],
    ['one below them all', adding('[{"a":-1e999}]'), 'INVALID_REQUEST'],
    ['__proto__ in a value', adding('{"__proto__":{"admin":true}}'), 'INVALID_REQUEST'],
    ['constructor.prototype', adding('{"constructor":{"prototype":{"admin":true}}}'), 'INVALID_REQUEST'],
    ['a way into a prototype', `[{"op":"add","path":"${place}/__proto__/admin","value":true}]`, 'PATCH_APPLY_FAILED'],
    ['a way into the constructor', `[{"op":"add","path":"${place}/constructor/x","value":true}]`, 'PATCH_APPLY_FAILED'],
    [
      'a copy of what is inherited',
      `[{"op":"copy","from":"${place}/toString","path":"${place}/x"}]`,
      'PATCH_APPLY_FAILED',
    ],
    ['a length for an index', '[{"op":"add","path":"/content/recent_notes/length","value":9}]', 'PATCH_APPLY_FAILED'],
    ['an index past all', '[{"op":"add","path":"/content/recent_notes/4294967295","value":""}]', 'PATCH_APPLY_FAILED'],
    ['an index below none', '[{"op":"add","path":"/content/recent_notes/-1","value":""}]', 'PATCH_APPLY_FAILED'],
    ['an index in other digits', '[{"op":"add","path":"/content/recent_notes/00","value":""}]', 'PATCH_APPLY_FAILED'],
    ['10,000 operations', repeated({ op: 'add', path: `${place}/x`, value: 1 }, 10_000), 'PATCH_TOO_LARGE'],
    ['100 copies of copies', JSON.stringify(doubling), 'DOCUMENT_SIZE_EXCEEDED'],
    ['a move into itself', `[{"op":"move","from":"${place}","path":"${place}/x"}]`, 'PATCH_APPLY_FAILED'],
    [
      'a pointer of 100,000 parts',
      `[{"op":"test","path":"/content${'/a'.repeat(100_000)}","value":1}]`,
      'PATCH_APPLY_FAILED',
    ],
    ['text for operations', '"remove everything"', 'INVALID_PATCH'],
    ['null for operations', 'null', 'INVALID_PATCH'],
    ['null for an operation', '[null]', 'INVALID_PATCH'],
    ['a list for an operation', '[["add"]]', 'INVALID_PATCH'],
    ['an unknown operation', `[{"op":"toString","path":"${place}"}]`, 'INVALID_PATCH'],
    ['an operation in capitals', `[{"op":"REMOVE","path":"${place}"}]`, 'INVALID_PATCH'],
    ['a pointer without a slash', '[{"op":"remove","path":"content"}]', 'INVALID_PATCH'],
    ['a pointer with a bad escape', `[{"op":"remove","path":"${place}/~2"}]`, 'INVALID_PATCH'],
    ['a number for a pointer', '[{"op":"remove","path":1}]', 'INVALID_PATCH'],
    ['no value', `[{"op":"add","path":"${place}/x"}]`, 'INVALID_PATCH'],
    ['no source', `[{"op":"copy","path":"${place}/x"}]`, 'INVALID_PATCH'],
  ] as const)('are rejected: %s', async (_name, ops, code) => {
    const answer = await patch(ops);
    expectProblem(answer, code);
    expect(JSON.stringify(answer.body).length).toBeLessThan(5000);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['an extra member twice', '[]', ',"ops":[{"op":"add","path":"/content/summary","value":"second"}],"color":1'],
    ['__proto__ beside the operations', '[]', ',"__proto__":{"reason":"compaction"}'],
    ['another user in the body', '[]', ',"user_id":"u2"'],
    ['evidence that is 62 deep', '[]', `,"evidence":${'['.repeat(65)}${']'.repeat(65)}`],
    ['a confidence past all numbers', '[]', ',"confidence":1e999'],
  ])('are rejected with a bad member next to the operations: %s', async (_name, ops, more) => {
    const { status } = await patch(ops, more);
    expect(status).toBe(400);
  });
});

describe('names that only look hostile', () => {
  it('are stored like any other data', async () => {
    const server = await startLoggedServer();
    const names = ['__proto__', 'constructor', 'prototype', 'toString', '', ' ', '0', '-', '~', 'a/b'];
    const ops = names.map((name) => ({
      op: 'add',
      path: `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value: { of: name },
    }));
    const body = { profile_id: 'project-copilot-v1', binding_id: 'project_doc', reason: 'live_update', ops };
    const headers = { 'if-match': '*', 'idempotency-key': 'k' };
    const made = await send(server.url, { method: 'PATCH', path, body, headers, token });
    expect(made.status).toBe(200);
    const { facets } = made.body.document.content;
    expect(Object.keys(facets).sort()).toEqual([...names].sort());
    const read = await send(server.url, { path, token });
    expect(JSON.stringify(read.body.document)).toBe(JSON.stringify(made.body.document));
    const then = await send(server.url, { path: `${path}?at=${made.body.document.updated_at}`, token });
    expect(then.body.etag).toBe(made.body.etag);
    expect(Object.keys(then.body.document.content.facets).sort()).toEqual([...names].sort());
    await server.close();
  });
});
