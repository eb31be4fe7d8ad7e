import { Command } from 'commander';
import { recallAny } from '../engine/one-memory/recall-any.js';
import { toRecallResult } from '../surfaces/one-memory/to-any-memory.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import {
  addChoiceOptions,
  addTextOptions,
  type ChoiceOptions,
  countOption,
  quietly,
  toChoice,
} from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { toResultTable } from './memory-table.js';
import { screenOf } from './table.js';
import { withEngine } from './with-engine.js';

interface Options extends ChoiceOptions, Omit<OwnerOptions, 'namespace'> {
  limit: number;
  explain?: true;
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
    .option('--explain', 'Say what each part added to the score, and which copies exist.')
    .option('--json', 'Print one JSON object per line, as in the HTTP API.');
  addTextOptions(addOwnerOptions(command));
  withExamples(
    command,
    "memhall recall 'what do I take in my tea?'",
    'memhall recall deploy --scope shared --team blue',
    'memhall recall holiday --from 2026-06-01 --to 2026-08-31 --explain',
    "memhall recall tea --json | jq -r '.text'",
  );
  return command.action(async (words: string[], options: Options) => {
    const text = words.join(' ');
    const member = memberOf(options, 'cli.recall');
    await withEngine(environment, quietly(options, environment), async (engine) => {
      const query = { text, limit: options.limit, explain: options.explain === true, ...toChoice(options) };
      const found = await recallAny(engine, member, query);
      if (options.json) {
        for (const one of found) process.stdout.write(`${JSON.stringify(toRecallResult(one))}\n`);
      } else if (found.length === 0) {
        process.stderr.write(`Nothing matches "${text}". Try fewer words, or \`memhall list\`.\n`);
      } else {
        process.stdout.write(toResultTable(member, found, screenOf(process.stdout, environment)));
      }
    });
  });
}
