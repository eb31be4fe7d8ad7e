import { randomUUID } from 'node:crypto';
import { Unexpected } from '../expectation.js';
import { TargetUnreachable } from '../faults.js';
import type { Session } from '../suite.js';
import { PluginCaller } from './plugin-caller.js';
import { asObject, namespacePath, PluginProbe } from './plugin-probe.js';
import { type PluginTarget, parseTarget } from './plugin-target.js';

const defaultTimeoutMs = 10_000;
const usualLengths = [384, 768, 1024, 1536, 3072, 512, 256, 1408, 2048, 4096, 128, 64, 8];

/** Connects to a plugin and reads its declared capabilities. The cases check whether the declaration is correct. */
export async function connectToPlugin(
  { url, token, timeoutMs = defaultTimeoutMs, embeddingLength }: PluginTarget,
  signal: AbortSignal,
): Promise<Session<PluginProbe>> {
  const caller = new PluginCaller(parseTarget(url), token, timeoutMs);
  try {
    const capabilities = await readCapabilities(caller, url, signal);
    let length: Promise<number> | undefined;
    const lengthOf = () => {
      length ??= embeddingLength === undefined ? findLength(caller, signal) : Promise.resolve(embeddingLength);
      return length;
    };
    return {
      target: url,
      capabilities,
      conditions: token === undefined ? capabilities : [...capabilities, 'token'],
      openProbe(signalOfRun) {
        const probe = new PluginProbe(caller, capabilities, signalOfRun, lengthOf);
        return { probe, release: () => probe.release() };
      },
      close: async () => caller.close(),
    };
  } catch (error) {
    caller.close();
    throw error;
  }
}

async function readCapabilities(caller: PluginCaller, url: string, signal: AbortSignal): Promise<string[]> {
  const response = await caller.call({ method: 'GET', path: '/v1/health' }, signal).catch((error: unknown) => {
    throw new TargetUnreachable(`${url} does not respond: ${(error as Error).message}`, { cause: error });
  });
  if (response.status === 401 || response.status === 403) {
    throw new TargetUnreachable(`${url} denies access (${response.status}): pass the correct token.`);
  }
  const { capabilities } = asObject(response.body);
  return Array.isArray(capabilities) ? capabilities.filter((one) => typeof one === 'string') : [];
}

/** Returns the first of the usual lengths that the plugin accepts in a write. */
async function findLength(caller: PluginCaller, signal: AbortSignal): Promise<number> {
  const path = namespacePath(`custom:conformance.${randomUUID()}`);
  await caller.call({ method: 'PUT', path, body: { kind: 'custom' } }, signal);
  try {
    for (const length of usualLengths) {
      const embedding = [1, ...new Array<number>(length - 1).fill(0)];
      const body = { content: 'A vector.', kind: 'fact', source: 'agent', embedding };
      const { status } = await caller.call({ method: 'POST', path: `${path}/memories`, body }, signal);
      if (status === 201) return length;
    }
    throw new Unexpected(`no write with an embedding was accepted; tried the lengths ${usualLengths.join(', ')}`);
  } finally {
    await caller.call({ method: 'DELETE', path }, signal).catch(() => undefined);
  }
}
