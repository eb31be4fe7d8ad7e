import { ensure, ensureEqual, show } from '../../expectation.js';
import { providerCapabilities } from '../provider-requirements.js';
import { verifies } from '../verifies.js';

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const healthMs = 1000;

export const interfaceCases = [
  verifies('PROVIDER-SPEC-01', 'has the methods of its declared version', async (probe) => {
    const provider = await probe.provider();
    ensureEqual(provider.specification, 'provider/v1', 'the specification');
    for (const name of ['retain', 'recall', 'forget', 'health'] as const) {
      ensure(typeof provider[name] === 'function', `there is no method ${name}`);
    }
  }),
  verifies('PROVIDER-SPEC-02', 'lists only known capabilities', async (probe) => {
    const { capabilities } = await probe.provider();
    ensure(Array.isArray(capabilities), `capabilities is ${show(capabilities)} instead of a list`);
    ensure(new Set(capabilities).size === capabilities.length, 'a capability is listed twice');
    const unknown = capabilities.filter((one) => !providerCapabilities.includes(one));
    ensure(unknown.length === 0, `unknown capabilities: ${show(unknown)}`);
  }),
  verifies('PROVIDER-SPEC-03', 'has read if and only if it is declared', async (probe) => {
    const { read } = await probe.provider();
    const word = probe.has('read') ? 'listed' : 'not listed';
    ensure((typeof read === 'function') === probe.has('read'), `read is ${word}, but the method is ${typeof read}`);
  }),
  verifies('PROVIDER-HEALTH-01', 'reports the time of the check', async (probe) => {
    const { ok, checkedAt } = await probe.health();
    ensure(typeof ok === 'boolean', `ok is ${show(ok)}`);
    ensure(typeof checkedAt === 'string' && moment.test(checkedAt), `checkedAt is ${show(checkedAt)}`);
  }),
  verifies('PROVIDER-HEALTH-02', 'explains why it is not ok', async (probe) => {
    const { ok, message } = await probe.health();
    if (ok === true) ensure(message === undefined || message === '', `it is ok, but the message is ${show(message)}`);
    else ensure(typeof message === 'string' && message !== '', 'it is not ok, but there is no message');
  }),
  verifies('PROVIDER-HEALTH-03', 'reports its health in time', async (probe) => {
    const began = performance.now();
    await probe.health();
    const tookMs = Math.round(performance.now() - began);
    ensure(tookMs <= healthMs, `health took ${tookMs} ms`);
  }),
];
