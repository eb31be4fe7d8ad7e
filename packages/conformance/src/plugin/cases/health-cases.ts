import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { asObject, expectStatus, idsOf, type PluginProbe } from '../plugin-probe.js';
import { pluginCapabilities } from '../plugin-requirements.js';
import { verifies } from '../verifies.js';

const readHealth = (probe: PluginProbe) => probe.call({ method: 'GET', path: '/v1/health' });

export const healthCases = [
  verifies('PLUGIN-HEALTH-01', 'has a status, a version and capabilities', async (probe) => {
    const response = await readHealth(probe);
    expectStatus(response, 200, 503);
    const { status, version, capabilities } = asObject(response.body);
    ensure(typeof status === 'string', `the status is ${show(status)}`);
    ensure(typeof version === 'string' && version !== '', `the version is ${show(version)}`);
    ensure(Array.isArray(capabilities), `capabilities are ${show(capabilities)}`);
  }),
  verifies('PLUGIN-HEALTH-02', 'lists known capabilities, each once', async (probe) => {
    const { capabilities } = asObject((await readHealth(probe)).body);
    ensure(Array.isArray(capabilities), `capabilities are ${show(capabilities)}`);
    const known: readonly unknown[] = pluginCapabilities;
    for (const one of capabilities) ensure(known.includes(one), `${show(one)} is not a capability of this contract`);
    ensureEqual(new Set(capabilities).size, capabilities.length, 'the number of different capabilities');
  }),
  verifies('PLUGIN-HEALTH-03', 'has a status that matches the HTTP status', async (probe) => {
    const { status: code, body } = await readHealth(probe);
    const { status } = asObject(body);
    ensure(status === 'ok' || status === 'degraded', `the status is ${show(status)}`);
    ensure(code === 200 || status === 'degraded', `the status is ok, but the HTTP status is ${code}`);
  }),
  verifies('PLUGIN-HEALTH-04', 'lists only working capabilities', async (probe) => {
    const name = await probe.newNamespace();
    for (const capability of probe.capabilities) {
      const works = trials[capability];
      if (works !== undefined) ensure(await works(probe, name), `${capability} is listed but does not work`);
    }
  }),
];

/** A minimal check of each capability. */
const trials: Record<string, (probe: PluginProbe, name: string) => Promise<boolean>> = {
  async fts(probe, name) {
    const word = `word${randomUUID().slice(0, 8)}`;
    const id = await probe.remember(name, `The ${word} is found.`);
    await probe.remember(name, 'Another text.');
    return idsOf(await probe.search({ namespaces: [name], query: word }))[0] === id;
  },
  async embedding(probe, name) {
    const [near, far] = [await probe.vector(1, 0.1), await probe.vector(-0.1, 1)];
    const id = await probe.remember(name, { content: 'Near.', embedding: near });
    await probe.remember(name, { content: 'Far.', embedding: far });
    return idsOf(await probe.search({ namespaces: [name], embedding: await probe.vector(1) }))[0] === id;
  },
  async ttl(probe, name) {
    const written = await probe.write(name, { content: 'Gone.', expires_at: '2001-01-01T00:00:00Z' });
    const found = await probe.search({ namespaces: [name], limit: 100 });
    return written.status === 400 || found.every(({ content }) => content !== 'Gone.');
  },
  async pin(probe, name) {
    const [id] = await probe.rememberInTurn(name, [{ content: 'Pinned.', pin: true }, 'Newer.']);
    return idsOf(await probe.search({ namespaces: [name] }))[0] === id;
  },
  async propagation(probe, name) {
    const id = await probe.remember(name, { propagation: { hops: 2 } });
    const found = (await probe.search({ namespaces: [name], limit: 100 })).find((memory) => memory.id === id);
    return asObject(found?.propagation).hops === 2;
  },
};
