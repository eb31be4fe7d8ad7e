import type { SeenFact } from '../engine/facts/read-facts.js';
import type { SubjectPage } from '../engine/facts/read-subjects.js';
import type { Fact } from '../ports/facts.js';
import type { SubjectSummary } from '../ports/subjects.js';
import { sayDate } from './memory-table.js';
import { type Screen, toTable } from './table.js';
import { toLine } from './text-width.js';

/** Prints a fact per row: since when, until when, how far it is believed, and what it says. */
export function toFactTable(facts: readonly SeenFact[], screen: Screen): string {
  const rows = facts.map(({ fact, status }) => ({
    id: fact.id,
    cells: [...sayTimes(fact), status, fact.state.trust, toLine(fact.text)],
  }));
  return toTable(['SINCE', 'UNTIL', 'STATUS', 'TRUST', 'FACT'], rows, screen);
}

export function toSubjectTable(subjects: readonly SubjectSummary[], screen: Screen): string {
  const rows = subjects.map(({ name, aliases, facts, current }) => ({
    id: toLine(name),
    cells: [String(current), String(facts - current), toLine(aliases.map((alias) => alias.name).join(', '))],
  }));
  return toTable(['CURRENT', 'PAST', 'ALSO CALLED'], rows, screen, 'SUBJECT');
}

export function toSubjectText(page: SubjectPage, screen: Screen): string {
  const { subject, aliases, facts, timeline, sources, isShortened } = page;
  const happened = timeline.map(({ at, event, fact }) => ({
    id: fact.id,
    cells: [sayDate(at), event, toLine(`${fact.attribute} ${fact.value}`)],
  }));
  const said = sources.map(({ memory }) => ({
    id: memory.id,
    cells: [sayDate(memory.occurredAt), memory.trust, toLine(memory.content)],
  }));
  const parts = [
    toLine(aliases.length === 0 ? subject : `${subject}, also called ${aliases.join(', ')}`),
    facts.length === 0 ? 'Nothing is true of it at this time.' : toFactTable(facts, screen),
    ...(happened.length === 0 ? [] : [`What happened\n${toTable(['DATE', 'EVENT', 'FACT'], happened, screen)}`]),
    ...(said.length === 0 ? [] : [`Who says so\n${toTable(['DATE', 'TRUST', 'TEXT'], said, screen)}`]),
    ...(isShortened ? ['Older facts were left out. `memhall facts --all` lists all.'] : []),
  ];
  return parts.map((part) => `${part.trimEnd()}\n`).join('\n');
}

function sayTimes({ state }: Fact): [string, string] {
  return [sayDate(state.validFrom), state.validTo === null ? '' : sayDate(state.validTo)];
}
