import { ensure, ensureEqual, show } from '../../expectation.js';
import type { Call } from '../plugin-caller.js';
import { asObject, contentsOf, namespacePath } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

export const tokenCases = [
  verifies('PLUGIN-TOKEN-01', 'denies access without the token', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Stays.');
    const calls: Call[] = [
      { method: 'PUT', path: namespacePath(name), body: { kind: 'team' } },
      { method: 'PATCH', path: namespacePath(name), body: { metadata: { a: 1 } } },
      {
        method: 'POST',
        path: `${namespacePath(name)}/memories`,
        body: { content: 'x', kind: 'fact', source: 'agent' },
      },
      { method: 'POST', path: '/v1/search', body: { namespaces: [name] } },
      { method: 'DELETE', path: `/v1/memories/${id}`, body: { requested_by_namespace: name } },
      { method: 'DELETE', path: namespacePath(name) },
    ];
    for (const token of [null, '', 'another']) {
      for (const one of calls) {
        const { call, status, body, text } = await probe.call({ ...one, token });
        ensure(
          status === 401 || status === 403,
          `${call} with ${token === null ? 'no token' : `the token ${show(token)}`} is ${status}: ${show(text)}`,
        );
        ensureEqual(asObject(body).code, 'forbidden', `the code of ${call} (${status})`);
      }
    }
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Stays.'], 'the stored memories after that');
  }),
];
