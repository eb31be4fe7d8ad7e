import { Command } from 'commander';
import { type HistoryEntry, historyOf } from '../engine/history/memory-history.js';
import { getAny } from '../engine/one-memory/find-any.js';
import type { Member } from '../engine/one-memory/member.js';
import type { Memory } from '../ports/memories.js';
import { toAnyMemory, toHistoryEntry } from '../surfaces/one-memory/to-any-memory.js';
import { addStoreOptions, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { labelOrigin, saySurface } from './memory-table.js';
import { padToWidth, toLine, toLines } from './text-width.js';
import { withEngine } from './with-engine.js';

export function showCommand(environment: Environment): Command {
  const command = new Command('show')
    .description(
      'Show a memory: its whole text, where it comes from, and who wrote and changed it, through which surface.',
    )
    .argument('<id>', 'Id of the memory, as printed by `memhall recall` and `memhall list`.')
    .addOption(repeatable('--namespace <name>', 'Further namespace that the user reads. Can be repeated.'))
    .option('--json', 'Print one line of JSON: memory, origin and history, as in the HTTP API.');
  addStoreOptions(addOwnerOptions(command));
  withExamples(command, 'memhall show 0198…', "memhall show 0198… --json | jq '.history'");
  return command.action(async (id: string, options: OwnerOptions & { json?: true }) => {
    const member = memberOf(options, 'cli.show');
    await withEngine(environment, options, async (engine) => {
      const memory = await getAny(engine, member, id);
      const history = await historyOf(engine, member, memory);
      process.stdout.write(options.json ? toJson(memory, history) : toText(member, memory, history));
    });
  });
}

function toJson(memory: Memory, history: readonly HistoryEntry[]): string {
  const shown = toAnyMemory(memory);
  return `${JSON.stringify({ memory: shown, origin: shown.origin, history: history.map(toHistoryEntry) })}\n`;
}

function toText(member: Member, memory: Memory, history: readonly HistoryEntry[]): string {
  const { id, kind, content, tags, isPinned, expiresAt, occurredAt, recordedAt, trust, externalId, sessionId } = memory;
  const fields = {
    id,
    kind,
    from: labelOrigin(member, memory),
    trust,
    occurred: sayTime(occurredAt),
    recorded: sayTime(recordedAt),
    expires: expiresAt === null ? '' : sayTime(expiresAt),
    session: sessionId ?? '',
    'external id': externalId ?? '',
    tags: tags.join(', '),
    pinned: isPinned ? 'yes' : '',
  };
  const lines = Object.entries(fields).filter(([, value]) => value !== '');
  const changes = history.map(
    ({ at, change, surface, actor }) =>
      `  ${sayTime(at)}  ${change.padEnd(7)}  ${saySurface(surface)}, by ${toLine(sayActor(member, actor))}`,
  );
  return [
    toLines(content),
    '',
    ...lines.map(([name, value]) => `${padToWidth(`${name}:`, 13)}${toLine(value)}`),
    ...(changes.length === 0 ? [] : ['', 'History', ...changes]),
    '',
  ].join('\n');
}

function sayTime(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function sayActor(member: Member, { userId, serviceId }: HistoryEntry['actor']): string {
  const who = userId === member.userId ? 'you' : userId;
  if (serviceId === null) return who ?? 'unknown';
  return who === null ? serviceId : `${who} through ${serviceId}`;
}
