import { writeFile } from 'node:fs/promises';
import { type ConsistencyProof, Problem, type RecordProof, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openAuditKey } from '../composition/audit-key.js';
import { openDatabase, openStore } from '../composition/open-database.js';
import { proveConsistency, proveRecord } from '../engine/audit/prove-audit.js';
import type { Engine } from '../engine/engine.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';

interface Options {
  tenant: string;
  user?: string;
  seq?: string;
  from?: string;
  to?: string;
  output: string;
}

export function auditProveCommand(environment: Environment): Command {
  const command = new Command('prove')
    .description(
      'Print a proof, as JSON, that an audit record is in the signed log, or that a later signed head contains an earlier one. `findProofFault` and `findConsistencyFault` of @memhall/core check it without a database.',
    )
    .requiredOption('--tenant <id>', 'Tenant that owns the log. (required)')
    .option(
      '--user <id>',
      "User whose record is proven; workspace/<id> is a workspace, - the tenant's own chain. Requires --seq.",
    )
    .option('--seq <number>', 'Number of the record in the chain of its user. Requires --user.')
    .option('--from <size>', 'Size of the earlier head, to prove that a later one contains it.')
    .option('--to <size>', 'Size of the later head. Requires --from. (default: the latest)')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall audit prove --tenant acme --user alice --seq 17 --output proof.json',
    'memhall audit prove --tenant acme --from 120 --to 340',
  );
  return command.action(async (options: Options) => {
    const wanted = toWanted(options);
    const config = configFrom(options, environment);
    const auditKey = await openAuditKey(config);
    const database = await openDatabase(config, createLogger(config.logLevel, config.logFormat), {
      shareRunning: true,
    });
    try {
      const proof = await wanted({ store: openStore(database), auditKey });
      const text = `${JSON.stringify(proof)}\n`;
      if (options.output === '-') process.stdout.write(text);
      else await writeFile(options.output, text);
    } catch (error) {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    } finally {
      await database.close();
    }
  });
}

function toWanted({
  tenant,
  user,
  seq,
  from,
  to,
}: Options): (engine: Pick<Engine, 'store' | 'auditKey'>) => Promise<RecordProof | ConsistencyProof> {
  if (user !== undefined && seq !== undefined && from === undefined && to === undefined) {
    const record = { userId: user === '-' ? '' : user, seq: toNumber('--seq', seq) };
    return (engine) => proveRecord(engine, tenant, record);
  }
  if (from !== undefined && user === undefined && seq === undefined) {
    const sizes = { first: toNumber('--from', from), second: to === undefined ? undefined : toNumber('--to', to) };
    return (engine) => proveConsistency(engine, tenant, sizes);
  }
  throw new StartUpError('Name a record with --user and --seq, or two heads with --from and --to.');
}

function toNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new StartUpError(`${option} must be a positive number, not "${text}".`);
  return Number(text);
}
