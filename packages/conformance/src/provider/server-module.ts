import type { ProviderModule, ProviderTarget, ProviderUnderTest } from './provider-target.js';

type Fields = Record<string, unknown>;
type ServerTarget = Extract<ProviderTarget, { url: string }>;

const defaultTimeoutMs = 10_000;
const toWire: Record<string, string> = {
  workspaceId: 'workspace_id',
  agentId: 'agent_id',
  crewId: 'crew_id',
  dataSubjectId: 'data_subject_id',
};

/** An error response of a server, mapped to the errors of the interface. */
class Refusal extends Error {
  override readonly name: string;
  readonly code: unknown;
  readonly details: unknown;

  constructor(status: number, { code, message, details }: Fields) {
    super(typeof message === 'string' ? message : `HTTP ${status}`);
    this.name = status >= 500 || status === 401 || status === 429 ? 'ProviderUnavailable' : 'ProviderInvalid';
    this.code = code;
    this.details = details;
  }
}

/** Wraps the wire protocol of a server as a module, so that the server behind it is tested. */
export function serverModule({ url, token, timeoutMs = defaultTimeoutMs }: ServerTarget): ProviderModule {
  const call = async (method: string, name: string, body?: Fields, signal?: AbortSignal): Promise<Fields> => {
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/provider/${name}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    const answer = (await response.json().catch(() => ({}))) as Fields;
    if (!response.ok) throw new Refusal(response.status, (answer.error ?? {}) as Fields);
    return answer;
  };
  const post = (name: string) => (request: Fields, signal?: AbortSignal) =>
    call(
      'POST',
      name,
      Object.fromEntries(Object.entries(request).map(([field, value]) => [toWire[field] ?? field, value])),
      signal,
    );
  const provider: ProviderUnderTest = {
    specification: 'provider/v1',
    capabilities: ['read', 'data_subject', 'shared_append', 'quarantine', 'shared_crew'],
    retain: post('retain'),
    read: post('read'),
    recall: post('recall'),
    forget: post('forget'),
    async health(signal) {
      const { checked_at: checkedAt, ...rest } = await call('GET', 'health', undefined, signal);
      return { ...rest, checkedAt };
    },
  };
  return { createProvider: () => provider };
}
