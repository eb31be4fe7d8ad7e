import { Command } from 'commander';
import type { Member } from '../engine/one-memory/member.js';
import type { AnyRecalled } from '../engine/one-memory/recall-any.js';
import { recallEverywhere } from '../engine/one-memory/recall-everywhere.js';
import { whyRecalled } from '../engine/one-memory/why-recalled.js';
import { toRecallResult, toWhy } from '../surfaces/one-memory/to-any-memory.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import {
  addChoiceOptions,
  addTextOptions,
  type ChoiceOptions,
  countOption,
  momentOption,
  toChoice,
} from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { toResultTable } from './memory-table.js';
import { screenOf } from './table.js';
import { withEngine } from './with-engine.js';

interface Options extends ChoiceOptions, Omit<OwnerOptions, 'namespace'> {
  limit: number;
  explain?: true;
  why?: string;
  asOf?: Date;
  knownAt?: Date;
  includeSuperseded?: true;
  json?: true;
}

export function recallCommand(environment: Environment): Command {
  const command = new Command('recall')
    .description(
      'Recall what was remembered through any surface: notes, conversations, documents, files and shared knowledge, best match first. Write a question in plain words; any word may match. Copies of one statement are one result. Can run while a server is running.',
    )
    .argument('<query...>', 'What to look for.')
    .addOption(countOption('--limit <number>', 'Number of results, 1 to 100.', [1, 100], 10));
  addChoiceOptions(command)
    .addOption(momentOption('--as-of <date>', 'Answer as of this moment; what happened later is left out'))
    .addOption(momentOption('--known-at <date>', 'Answer with what was known at this moment', 'end'))
    .option('--include-superseded', 'Also show what is no longer true. A question about the past shows it in any case.')
    .option('--explain', 'Say what each part added to the score, and which copies exist.')
    .option('--why <id>', 'Say why this memory is among the results, or what keeps it out.')
    .option('--json', 'Print one JSON object per line, as in the HTTP API.');
  addTextOptions(addOwnerOptions(command));
  withExamples(
    command,
    "memhall recall 'what do I take in my tea?'",
    'memhall recall deploy --scope shared --team blue',
    'memhall recall holiday --from 2026-06-01 --to 2026-08-31 --explain',
    "memhall recall 'where do I live?' --as-of 2024-01-01",
    'memhall recall tea --kind note --why 019a9f0e-6f0c-7c4e-9a51-3d3a6f1f2b10',
    "memhall recall tea --json | jq -r '.text'",
  );
  return command.action(async (words: string[], options: Options) => {
    const { limit, asOf, knownAt, includeSuperseded } = options;
    const query = { text: words.join(' '), limit, asOf, knownAt, includeSuperseded, ...toChoice(options) };
    const member = memberOf(options, 'cli.recall');
    await withEngine(environment, options, async (engine) => {
      if (options.why !== undefined) {
        const why = await whyRecalled(engine, member, options.why, query);
        process.stdout.write(`${options.json ? JSON.stringify(toWhy(why)) : why.message}\n`);
        return;
      }
      const found = await recallEverywhere(engine, member, { ...query, explain: options.explain === true });
      if (found.isIncomplete)
        process.stderr.write(
          'Memories may be missing: the memory plugin did not answer, or the model is not loaded. Try again.\n',
        );
      print(environment, member, found.results, { ...options, text: query.text });
    });
  });
}

function print(
  environment: Environment,
  member: Member,
  found: readonly AnyRecalled[],
  { json, text }: Pick<Options, 'json'> & { text: string },
): void {
  if (json) {
    for (const one of found) process.stdout.write(`${JSON.stringify(toRecallResult(one))}\n`);
  } else if (found.length === 0) {
    process.stderr.write(`Nothing matches "${text}". Try fewer words, or \`memhall list\`.\n`);
  } else {
    process.stdout.write(toResultTable(member, found, screenOf(process.stdout, environment)));
  }
}
