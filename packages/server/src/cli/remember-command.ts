import { text as readText } from 'node:stream/consumers';
import { StartUpError } from '@memhall/core';
import { Command, Option } from 'commander';
import type { Remembered } from '../engine/memories/remember.js';
import { rememberAny, type StorableKind, storableKinds } from '../engine/one-memory/remember-any.js';
import type { Memory } from '../ports/memories.js';
import { toAnyMemory } from '../surfaces/one-memory/to-any-memory.js';
import { type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { addTextOptions, momentOption } from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { withEngine } from './with-engine.js';

interface Options extends OwnerOptions {
  kind: StorableKind;
  tag: string[];
  session?: string;
  namespace?: string;
  occurredAt?: Date;
  expiresAt?: Date;
  pin?: true;
  externalId?: string;
  offTheRecord?: true;
  json?: true;
}

export function rememberCommand(environment: Environment): Command {
  const command = new Command('remember')
    .description(
      'Remember a text. Every surface finds it: the HTTP API, MCP, agents and `memhall recall`. Secrets such as passwords and API keys are removed. The same text, or another text with the same --external-id, updates the memory that exists. Can run while a server is running.',
    )
    .argument('[text...]', 'The text. By default it is read from standard input.')
    .addOption(new Option('--kind <kind>', 'What it is.').choices(storableKinds).default('note'))
    .addOption(repeatable('--tag <tag>', 'Tag to filter by later. Can be repeated.'))
    .option('--session <id>', 'Session that it belongs to.')
    .option('--namespace <name>', 'Share it in this namespace, such as team:blue. Created on its first use.')
    .addOption(momentOption('--occurred-at <date>', 'When it happened, if not now'))
    .addOption(momentOption('--expires-at <date>', 'When to forget it'))
    .option('--pin', 'Rank it higher.')
    .option('--external-id <id>', 'Your own id for it, to update it later.')
    .option('--off-the-record', 'Store nothing, and leave one audit record without content.')
    .option('--json', 'Print the memory as one line of JSON, as in the HTTP API.');
  addTextOptions(addOwnerOptions(command));
  withExamples(
    command,
    "memhall remember 'I take my tea without milk.'",
    "memhall remember 'The office is in Lisbon now.' --external-id office --tag work",
    'memhall remember --kind summary --session standup-7 < minutes.txt',
    "memhall remember 'We deploy on Tuesdays.' --team blue --namespace team:blue",
  );
  return command.action(async (words: string[], options: Options) => {
    const offTheRecord = { isAsked: options.offTheRecord === true, unstored: 'nothing' as const };
    const member = { ...memberOf(options, 'cli.remember'), offTheRecord };
    const content = await toContent(words);
    const { kind, tag: tags, session: sessionId, namespace, occurredAt, expiresAt, pin, externalId } = options;
    await withEngine(environment, options, async (engine) => {
      const given = { content, kind, tags, sessionId, occurredAt, expiresAt, externalId: externalId?.normalize('NFC') };
      const visibility = namespace === undefined ? {} : { visibility: { namespace } };
      const input = { ...given, ...visibility, isPinned: pin, uniqueContent: true };
      for (const { memory, outcome } of await rememberAny(engine, member, [input])) {
        process.stdout.write(`${options.json ? JSON.stringify(toAnyMemory(memory)) : said(memory, outcome)}\n`);
      }
    });
  });
}

function said({ id }: Memory, outcome: Remembered['outcome']): string {
  if (outcome === 'unstored') return 'Not remembered: this is off the record.';
  return outcome === 'created' ? `Remembered: ${id}` : `Updated what was remembered: ${id}`;
}

async function toContent(words: readonly string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  const missing = 'There is nothing to remember. Write the text after the command, or pipe it in.';
  if (process.stdin.isTTY) throw new StartUpError(missing);
  const content = (await readText(process.stdin)).trimEnd();
  if (content === '') throw new StartUpError(missing);
  return content;
}
