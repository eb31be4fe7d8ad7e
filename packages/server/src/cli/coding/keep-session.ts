import type { AgentName } from '../clients/agent-hooks.js';
import { type Decision, findDecisions } from './find-decisions.js';
import type { HookEvent, Turn } from './hook-event.js';
import type { HookMemory, ProjectFact, SaidTurn } from './hook-memory.js';
import type { Project } from './project-of.js';

/** Longer texts are mostly pasted. */
const longestText = 20_000;
/** Not more than one call stores. */
const mostTurns = 100;
const longestValue = 300;

export interface Session {
  agent: AgentName;
  project: Project;
  branch: string | undefined;
  event: HookEvent;
}

/** Returns the name under which a session is known, for instance to take it off the record. */
export function sessionOf(agent: AgentName, session: string): string {
  return `${agent}:${session}`.slice(0, 256);
}

/** Stores what was said, and what the user decided as facts about the project. */
export async function keepTurns(memory: HookMemory, session: Session, turns: readonly Turn[]): Promise<void> {
  for (let from = 0; from < turns.length; from += mostTurns) {
    const said = turns.slice(from, from + mostTurns).map((turn) => toSaid(session, turn));
    const ids = await memory.remember(said);
    for (const [index, { role, text, at }] of said.entries()) {
      const id = ids[index];
      if (role === 'user' && id !== undefined) await keepDecisions(memory, session.project.name, text, at, id);
    }
  }
}

function toSaid({ agent, project, branch, event }: Session, turn: Turn): SaidTurn {
  return {
    ...turn,
    text: turn.text.slice(0, longestText).toWellFormed().replaceAll('\u0000', ''),
    session: sessionOf(agent, event.session),
    externalId: `${agent}:${event.session}:${turn.id}`.slice(0, 256),
    tags: [project.namespace, agent],
    metadata: { project: project.name, ...(branch === undefined ? {} : { branch }) },
  };
}

async function keepDecisions(
  memory: HookMemory,
  subject: string,
  text: string,
  at: Date,
  evidence: string,
): Promise<void> {
  const decisions = findDecisions(text);
  if (decisions.length === 0) return;
  for (const decision of decisions) {
    const known = await memory.facts(subject);
    const ended = endedBy(decision, known).filter(({ since }) => since < at);
    for (const { attribute, value, since } of ended) {
      await memory.putFact(subject, { attribute, value, from: since, until: at, evidence: [evidence] });
    }
    const attribute = decision.attribute ?? ended[0]?.attribute ?? 'uses';
    await memory.putFact(subject, {
      attribute,
      value: decision.value.slice(0, longestValue),
      from: at,
      evidence: [evidence],
    });
  }
}

/** Returns what a decision ends: the value that it names, or with a word of change, other values of the same attribute. */
function endedBy({ attribute, value, replaces, isChange }: Decision, known: readonly ProjectFact[]): ProjectFact[] {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (replaces !== undefined) return known.filter((fact) => isSame(fact.value, replaces));
  if (!isChange || attribute === undefined) return [];
  return known.filter((fact) => isSame(fact.attribute, attribute) && !isSame(fact.value, value));
}
