import { type SignedHead, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { trustedAuditKeys } from '../composition/audit-key.js';
import { openDatabase, openStore } from '../composition/open-database.js';
import type { ErasedRecord } from '../engine/audit/erased-records.js';
import { verifyAudit } from '../engine/audit/verify-audit.js';
import { verifyLogs } from '../engine/audit/verify-logs.js';
import { createLogger } from '../http/logging.js';
import type { Store } from '../ports/store.js';
import { addStoreOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { readHeads } from './read-heads.js';
import { addJsonOption } from './report.js';

interface Options {
  tenant?: string;
  heads: string[];
  key: string[];
  json?: true;
}

interface Trust {
  given: readonly SignedHead[];
  trustedKeys: readonly string[];
}

export function auditVerifyCommand(environment: Environment): Command {
  const command = new Command('verify')
    .description(
      'Recompute the hash chains of the audit log and report every altered, missing or reordered record; then compare them with the signed heads. Exits with code 1 if it finds a fault. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Verify only the chains of this tenant. (default: every tenant)')
    .addOption(
      repeatable(
        '--heads <path>',
        'Signed heads that were kept outside the database: a file, or a directory of files, with one head per line. Can be given several times.',
      ),
    )
    .addOption(
      repeatable(
        '--key <public key>',
        'Public key whose signatures count, as `memhall audit key` prints it. Can be given several times. The keys that are configured here count too.',
      ),
    );
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall audit verify',
    'memhall audit verify --heads /mnt/witness/heads.jsonl',
    'memhall audit verify --tenant acme --database-url postgres://memhall@localhost/memhall',
  );
  return command.action(async (options: Options) => {
    const config = configFrom(options, environment);
    const given = (await Promise.all(options.heads.map(readHeads))).flat();
    const trustedKeys = await trustedAuditKeys(config, options.key);
    const database = await openDatabase(config, createLogger(config.logLevel, config.logFormat), {
      shareRunning: true,
    });
    try {
      const faults = await verify(openStore(database), options, { given, trustedKeys });
      if (faults > 0) process.exitCode = 1;
    } finally {
      await database.close();
    }
  });
}

/** Returns the number of faults. */
async function verify(store: Store, { tenant: tenantId, json }: Options, trust: Trust): Promise<number> {
  const bar = new ProgressBar('Verifying');
  const erased: ErasedRecord[] = [];
  const chains = await verifyAudit(store, {
    tenantId,
    onProgress: (done, total) => bar.update(Number(done), Number(total)),
    onErased: (record) => erased.push(record),
  });
  bar.finish();
  const logs = await verifyLogs(store, { tenantId, erased, ...trust });
  if (tenantId !== undefined && chains.chains === 0 && logs.heads === 0) {
    throw new StartUpError(`There is no tenant ${tenantId}: the audit log has no records of it. Check its name.`);
  }
  const faults = chains.faults.length + logs.faults.length;
  const { heads, unchecked, signed } = logs;
  if (json) {
    print(JSON.stringify(toWire(chains, logs, trust)));
    return faults;
  }
  for (const fault of chains.faults) {
    print(`fault: tenant=${fault.tenantId} user=${fault.userId || '-'} seq=${fault.seq} ${fault.kind}`);
  }
  for (const fault of logs.faults) print(`fault: tenant=${fault.tenantId} ${fault.place} ${fault.kind}`);
  print(`Verify complete: chains=${chains.chains} records=${chains.records} faults=${faults}`);
  if (heads > 0)
    print(`Signed heads: heads=${heads} given=${trust.given.length} unchecked=${unchecked} records=${signed}`);
  if (unchecked > 0)
    print('The unchecked heads are signed with a key that is not trusted here. Add its public key with --key.');
  return faults;
}

function toWire(
  { chains, records, faults }: Awaited<ReturnType<typeof verifyAudit>>,
  { faults: logFaults, heads, unchecked, signed }: Awaited<ReturnType<typeof verifyLogs>>,
  { given }: Trust,
) {
  const inChains = faults.map(({ tenantId, userId, seq, kind }) => ({
    tenant_id: tenantId,
    user_id: userId,
    seq: Number(seq),
    kind,
  }));
  const inLogs = logFaults.map(({ tenantId, place, kind }) => ({ tenant_id: tenantId, place, kind }));
  return {
    chains,
    records: Number(records),
    faults: [...inChains, ...inLogs],
    signed_heads: { heads, given: given.length, unchecked, records: Number(signed) },
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
