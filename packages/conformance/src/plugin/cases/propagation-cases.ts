import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectStatus, type Json, type PluginProbe } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

function nested(depth: number): Json {
  let value: Json = { end: [] };
  for (let level = 0; level < depth; level++)
    value = level % 2 === 0 ? { [`level ${level}`]: value } : { in: [value, null] };
  return value;
}

const samples: readonly Json[] = [
  {},
  { hops: 3, by: ['workspace:a', 'team:b'], ttl: null, strict: false },
  { numbers: [0, -1, 1.5, 1e-7, 123_456_789_012, Number.MAX_SAFE_INTEGER] },
  { Grüße: '東京 🚢', مرحبا: ['שלום', 'à'], emoji: '👩‍👩‍👧‍👦' },
  { 'a.b': 1, 'a/b': 2, $ref: '#', '': 'empty', ' ': ' ', 'with "quotes"': "it's", toString: 'x', id: 'y', length: 0 },
  { empty: [{}, [], '', null] },
  { 'white space': ' \t\r\n ', markup: '<b>&amp;</b>', escaped: '\\u0041\\n' },
  nested(20),
  { long: 'x'.repeat(20_000) },
  { list: Array.from({ length: 1000 }, (_, index) => index) },
];

async function propagationOf(probe: PluginProbe, name: string, id: string): Promise<unknown> {
  const found = (await probe.search({ namespaces: [name], limit: 100 })).find((memory) => memory.id === id);
  ensure(found !== undefined, 'the memory is not found');
  return found.propagation;
}

export const propagationCases = [
  verifies('PLUGIN-PROP-01', 'returns propagation unchanged', async (probe) => {
    const name = await probe.newNamespace();
    for (const propagation of samples) {
      const id = await probe.remember(name, { propagation });
      const found = await propagationOf(probe, name, id);
      // An empty object may be omitted from the response.
      if (Object.keys(propagation).length === 0 && (found ?? null) === null) continue;
      ensureEqual(found, propagation, 'propagation');
    }
  }),
  verifies('PLUGIN-PROP-02', 'replaces propagation as a whole', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { id: randomUUID(), propagation: { a: 1, b: { c: 2 } } });
    await probe.remember(name, { id, propagation: { b: { d: 3 } } });
    ensureEqual(await propagationOf(probe, name, id), { b: { d: 3 } }, 'propagation');
  }),
  verifies('PLUGIN-PROP-03', 'rejects propagation that is not an object', async (probe) => {
    const name = await probe.newNamespace();
    for (const propagation of [[], [{}], 'text', 7, true]) {
      const { status } = await probe.write(name, { propagation });
      ensure(status === 400, `the propagation ${show(propagation)} is ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-PROP-04', 'works without propagation', async (probe) => {
    const name = await probe.newNamespace();
    const propagation = { a: { b: [1, 2] } };
    const response = await probe.write(name, { propagation });
    expectStatus(response, 201, 400);
    for (const { propagation: found } of await probe.search({ namespaces: [name] })) {
      if ((found ?? null) !== null) ensureEqual(found, propagation, 'propagation');
    }
  }),
];
