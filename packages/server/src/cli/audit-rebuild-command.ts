import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { rebuildDocument } from '../engine/documents/rebuild-document.js';
import { createLogger } from '../http/logging.js';
import { openDatabase, openStore } from '../main.js';
import type { Store } from '../ports/store.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

interface Options {
  tenant: string;
  user?: string;
  document?: string;
  print?: boolean;
}

interface Target {
  userId: string;
  namespace: string;
  path: string;
}

export function auditRebuildCommand(environment: Environment): Command {
  const command = new Command('rebuild')
    .description(
      'Reconstruct documents from their audit records alone and compare them with those that are stored. Exit code 1 if one differs. Works beside a running server.',
    )
    .requiredOption('--tenant <id>', 'whose documents')
    .option('--user <id>', 'only the documents of this user')
    .option('--document <namespace/path>', 'only this document of the user')
    .option('--print', 'write the rebuilt documents, one JSON line each');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall audit rebuild --tenant acme',
    'memhall audit rebuild --tenant acme --user alice --document user/user_dynamic.json --print',
  );
  return command.action(async (options: Options) => {
    if (options.document !== undefined && options.user === undefined) {
      throw new StartUpError('--document needs --user: say whose document it is.');
    }
    const config = configFrom({ ...options }, environment);
    const database = await openDatabase(config, createLogger(config.logLevel), { shareRunning: true });
    try {
      const store = openStore(database);
      const differing = await rebuildAll(store, options, await findTargets(store, options));
      if (differing > 0) process.exitCode = 1;
    } finally {
      await database.close();
    }
  });
}

async function rebuildAll(store: Store, options: Options, targets: readonly Target[]): Promise<number> {
  const bar = new ProgressBar('Rebuilding');
  let differing = 0;
  for (const [index, { userId, ...place }] of targets.entries()) {
    const { state, fault } = await rebuildDocument(store, { tenantId: options.tenant, userId }, place);
    bar.update(index + 1, targets.length);
    if (options.print && state !== undefined) {
      process.stdout.write(`${JSON.stringify({ user_id: userId, ...place, ...state })}\n`);
    }
    if (fault === undefined) continue;
    differing += 1;
    process.stdout.write(`fault: user=${userId} document=${place.namespace}/${place.path} ${fault}\n`);
  }
  bar.finish();
  process.stdout.write(`Rebuild complete: documents=${targets.length} differing=${differing}\n`);
  return differing;
}

const pageSize = 500;

async function findTargets(store: Store, { tenant, user, document }: Options): Promise<Target[]> {
  if (user !== undefined && document !== undefined) {
    const [namespace = '', ...rest] = document.split('/');
    return [{ userId: user, namespace, path: rest.join('/') }];
  }
  const users =
    user === undefined ? await store.inspect(tenant, (tables) => tables.artifacts.owners('document')) : [user];
  const targets: Target[] = [];
  for (const userId of users) {
    for (let after: readonly [string, string] | undefined; ; ) {
      const page = await store.read({ tenantId: tenant, userId }, (tables) =>
        tables.artifacts.list('document', { limit: pageSize, ...(after === undefined ? {} : { after }) }),
      );
      targets.push(...page.map(({ folder, name }) => ({ userId, namespace: folder, path: name })));
      if (page.length < pageSize) break;
      const last = page.at(-1);
      after = [last?.folder ?? '', last?.name ?? ''];
    }
  }
  return targets;
}
