import { writeFile } from 'node:fs/promises';
import { Problem, type SignedHead, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openAuditKey } from '../composition/audit-key.js';
import { openDatabase, openStore } from '../composition/open-database.js';
import { openWitness } from '../composition/open-witness.js';
import type { Config } from '../config/settings.js';
import { listHeads } from '../engine/audit/list-heads.js';
import { sendHeads } from '../engine/audit/send-heads.js';
import { signLog } from '../engine/audit/sign-log.js';
import { createLogger } from '../http/logging.js';
import { systemClock } from '../ports/clock.js';
import { WitnessError } from '../ports/head-witness.js';
import type { Store } from '../ports/store.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printCounts } from './report.js';

interface Options {
  tenant?: string;
  output: string;
  signNow?: boolean;
  newLog?: boolean;
  json?: true;
}

export function auditHeadsCommand(environment: Environment): Command {
  const command = new Command('heads')
    .description(
      'Export the signed heads of the audit logs, one JSON object per line, oldest first. Keep them where the owner of the database cannot change them. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Export only the heads of this tenant. (default: every tenant)')
    .option('--output <file>', 'File to write; - is standard output.', '-')
    .option('--sign-now', 'Sign what is new first, and send the heads to the witness, if one is configured.')
    .option(
      '--new-log',
      'Close the log and begin another, because the key that signed it is lost. Requires --tenant. Implies --sign-now.',
    );
  addStoreOptions(addJsonOption(command, 'Print the count as JSON.'));
  withExamples(command, 'memhall audit heads --output heads.jsonl', 'memhall audit heads --tenant acme --sign-now');
  return command.action(async (options: Options) => {
    if (options.newLog && options.tenant === undefined) {
      throw new StartUpError('--new-log requires --tenant. Add --tenant <id> to name the owner of the log.');
    }
    const config = configFrom(options, environment);
    const database = await openDatabase(config, createLogger(config.logLevel, config.logFormat), {
      shareRunning: true,
    });
    const heads: SignedHead[] = [];
    try {
      const store = openStore(database);
      if (options.signNow || options.newLog) await signNow(config, store, options);
      for await (const head of listHeads(store, options.tenant)) heads.push(head);
    } catch (error) {
      const isForOperator = error instanceof Problem || error instanceof WitnessError;
      throw isForOperator ? new StartUpError(error.message, { cause: error }) : error;
    } finally {
      await database.close();
    }
    const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join('');
    if (options.output === '-') process.stdout.write(lines);
    else await writeFile(options.output, lines);
    const stream = options.output === '-' ? process.stderr : process.stdout;
    printCounts(options.json, 'Heads complete', { heads: heads.length }, stream);
  });
}

async function signNow(config: Config, store: Store, { tenant, newLog }: Options): Promise<void> {
  const signer = { store, clock: systemClock, auditKey: await openAuditKey(config) };
  const witness = await openWitness(config);
  const tenants = tenant === undefined ? (await store.unsignedTenants()).map(({ tenantId }) => tenantId) : [tenant];
  for (const tenantId of tenants) {
    const { head, isNew } = await signLog(signer, tenantId, { newLog: newLog ?? false });
    const fresh = isNew ? head : undefined;
    if (witness !== null) await sendHeads(signer, witness, tenantId, { fresh, signal: new AbortController().signal });
  }
}
