import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openDatabase, openStore } from '../composition/open-database.js';
import { rebuildDocuments } from '../engine/documents/rebuild-document.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts, printResult } from './report.js';

interface Options {
  tenant: string;
  user?: string;
  document?: string;
  print?: boolean;
  json?: true;
}

export function auditRebuildCommand(environment: Environment): Command {
  const command = new Command('rebuild')
    .description(
      'Reconstruct documents from their audit records alone and compare them with the stored documents. Exits with code 1 if one differs. Changes nothing. Can run while a server is running.',
    )
    .requiredOption('--tenant <id>', 'Tenant that owns the documents. (required)')
    .option('--user <id>', 'Rebuild only the documents of this user.')
    .option('--document <namespace/path>', 'Rebuild only this document. Requires --user.')
    .option('--print', 'Print each rebuilt document as one line of JSON.');
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall audit rebuild --tenant acme',
    'memhall audit rebuild --tenant acme --user alice --document user/user_dynamic.json --print',
  );
  return command.action(async (options: Options) => {
    if (options.document !== undefined && options.user === undefined) {
      throw new StartUpError('--document requires --user. Add --user <id> to name the owner of the document.');
    }
    const config = configFrom(options, environment);
    const database = await openDatabase(config, createLogger(config.logLevel, config.logFormat), {
      shareRunning: true,
    });
    const bar = new ProgressBar('Rebuilding');
    const counts = { documents: 0, differing: 0 };
    try {
      const { tenant: tenantId, user: userId } = options;
      const wanted = { tenantId, userId, place: toPlace(options.document) };
      for await (const rebuilt of rebuildDocuments(openStore(database), wanted)) {
        const { place, state, fault, number, total } = rebuilt;
        bar.update(number, total);
        counts.documents += 1;
        if (options.print && state !== undefined) {
          process.stdout.write(`${JSON.stringify({ user_id: rebuilt.userId, ...place, ...state })}\n`);
        }
        if (fault === undefined) continue;
        counts.differing += 1;
        const document = `${place.namespace}/${place.path}`;
        printResult(
          options.json,
          { user_id: rebuilt.userId, document, fault },
          `fault: user=${rebuilt.userId} document=${document} ${fault}`,
        );
      }
    } finally {
      await database.close();
    }
    bar.finish();
    printCounts(options.json, 'Rebuild complete', counts);
    if (counts.differing > 0) process.exitCode = 1;
  });
}

function toPlace(document: string | undefined) {
  if (document === undefined) return undefined;
  const [namespace = '', ...rest] = document.split('/');
  return { namespace, path: rest.join('/') };
}
