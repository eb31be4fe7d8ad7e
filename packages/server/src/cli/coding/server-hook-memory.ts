import { nilId } from '../../engine/audit/off-the-record.js';
import type { HookMemory, SaidTurn } from './hook-memory.js';

const timeoutMs = 5000;
const mostFacts = 100;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of the API, as its reference describes them
  body: any;
}

/**
 * Talks to a server. What is said in a project is kept in its namespace if the token may write there, and otherwise among the user's own
 * memories, with the project as a tag.
 */
export function openServerHookMemory(server: string, token: string, namespace: string): HookMemory {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await fetch(`${server}${path}`, { ...request, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  };
  const expectOk = ({ status, body }: Answer, doing: string): Answer['body'] => {
    if (status < 300) return body;
    throw new Error(`${doing}: the server answered ${status} ${body?.error?.code ?? ''}`);
  };
  return {
    async remember(turns) {
      const shared = await call('POST', '/v1/remember', { memories: turns.map((turn) => toBody(turn, namespace)) });
      const answer =
        shared.status === 403
          ? await call('POST', '/v1/remember', { memories: turns.map((turn) => toBody(turn, undefined)) })
          : shared;
      const { memories } = expectOk(answer, 'storing what was said');
      return memories.map(({ id }: { id: string }) => (id === nilId ? undefined : id));
    },
    async recall(query, tag, limit) {
      const { results } = expectOk(await call('POST', '/v1/recall', { query, tags: [tag], limit }), 'recall');
      return results.map((found: { text: string; origin: { role?: string }; occurred_at: string }) => ({
        ...{ text: found.text, role: found.origin.role, at: new Date(found.occurred_at) },
      }));
    },
    async recent(tag, limit) {
      const query = new URLSearchParams({ tag, limit: String(limit) });
      const { memories } = expectOk(await call('GET', `/v1/memories?${query}`), 'listing memories');
      return memories.map((found: { content: string; role: string | null; occurred_at: string }) => ({
        ...{ text: found.content, role: found.role ?? undefined, at: new Date(found.occurred_at) },
      }));
    },
    async facts(subject) {
      const query = new URLSearchParams({ subject, limit: String(mostFacts) });
      const { facts } = expectOk(await call('GET', `/v1/facts?${query}`), 'reading facts');
      return facts
        .filter(({ status }: { status: string }) => status === 'current')
        .map((fact: { attribute: string; value: string; valid_from: string }) => ({
          ...{ attribute: fact.attribute, value: fact.value, since: new Date(fact.valid_from) },
        }));
    },
    async putFact(subject, { attribute, value, from, until, evidence }) {
      const times = { valid_from: from.toISOString(), ...(until && { valid_to: until.toISOString() }) };
      expectOk(await call('PUT', '/v1/facts', { subject, attribute, value, ...times, evidence }), 'stating a fact');
    },
    close: async () => undefined,
  };
}

function toBody({ text, role, at, session, externalId, tags, metadata }: SaidTurn, namespace: string | undefined) {
  return {
    ...{ content: text, kind: 'episodic', role, occurred_at: at.toISOString(), session_id: session },
    ...{ external_id: externalId, tags, metadata },
    ...(namespace === undefined ? {} : { namespace }),
  };
}
