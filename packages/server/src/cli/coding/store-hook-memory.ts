import { startEngine } from '../../composition/start-engine.js';
import { nilId } from '../../engine/audit/off-the-record.js';
import { putFact } from '../../engine/facts/put-fact.js';
import { listFacts } from '../../engine/facts/read-facts.js';
import { browseEverywhere, recallEverywhere } from '../../engine/one-memory/recall-everywhere.js';
import { rememberAny } from '../../engine/one-memory/remember-any.js';
import { createLogger } from '../../http/logging.js';
import type { Memory } from '../../ports/memories.js';
import { configFrom, type Environment } from '../config-options.js';
import { memberOf } from '../memory-owner.js';
import type { HookMemory, RecalledText } from './hook-memory.js';

const mostFacts = 100;

/** Opens the store itself, beside a running server if there is one. What is said in a project is kept in its namespace. */
export async function openStoreHookMemory(
  environment: Environment,
  options: { data?: string; tenant: string; user: string },
  namespace: string,
): Promise<HookMemory> {
  const member = memberOf({ ...options, team: [], namespace: [namespace] }, 'cli.hook');
  const reader = { ...member, namespaces: [namespace] };
  const config = { ...configFrom(options, environment), embedderStart: 'wait' as const };
  const logger = createLogger('silent', config.logFormat);
  const { engine, close } = await startEngine(config, logger, { shareRunning: true, runJobs: false });
  return {
    async remember(turns) {
      const inputs = turns.map(({ text, role, at, session, externalId, tags, metadata }) => ({
        ...{ content: text, kind: 'episodic' as const, role, occurredAt: at, sessionId: session, externalId, tags },
        ...{ metadata: { ...metadata }, visibility: { namespace } },
      }));
      const stored = await rememberAny(engine, member, inputs);
      return stored.map(({ memory: { id } }) => (id === nilId ? undefined : id));
    },
    async recall(query, tag, limit) {
      const wanted = { text: query, filter: { tags: [tag] }, limit, forModel: true };
      return (await recallEverywhere(engine, member, wanted)).results.map(toRecalled);
    },
    async recent(tag, limit) {
      const wanted = { filter: { tags: [tag] }, limit, forModel: true };
      return (await browseEverywhere(engine, member, wanted)).results.map(toRecalled);
    },
    async facts(subject) {
      const { items } = await listFacts(engine, reader, { subject, limit: mostFacts });
      return items
        .filter(({ status }) => status === 'current')
        .map(({ fact: { attribute, value, state } }) => ({ attribute, value, since: state.validFrom }));
    },
    async putFact(subject, { attribute, value, from, until, evidence }) {
      await putFact(engine, reader, { subject, attribute, value, validFrom: from, validTo: until, evidence });
    },
    close,
  };
}

function toRecalled({ memory: { content, role, occurredAt } }: { memory: Memory }): RecalledText {
  return { text: content, role: role ?? undefined, at: occurredAt };
}
