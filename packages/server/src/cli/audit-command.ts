import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openDatabase, openStore } from '../composition/open-database.js';
import { verifyAudit } from '../engine/audit/verify-audit.js';
import { createLogger } from '../http/logging.js';
import { auditRebuildCommand } from './audit-rebuild-command.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function auditCommand(environment: Environment): Command {
  const verify = new Command('verify')
    .description(
      'Recompute the hash chains of the audit log and report every altered, missing or reordered record. Exits with code 1 if it finds one. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Verify only the chains of this tenant. (default: every tenant)');
  addStoreOptions(verify);
  withExamples(
    verify,
    'memhall audit verify',
    'memhall audit verify --tenant acme --database-url postgres://memhall@localhost/memhall',
  );
  verify.action(async (options: { tenant?: string }) => {
    const config = configFrom({ ...options }, environment);
    const database = await openDatabase(config, createLogger(config.logLevel), { shareRunning: true });
    const bar = new ProgressBar('Verifying');
    try {
      const report = await verifyAudit(openStore(database), {
        ...(options.tenant === undefined ? {} : { tenantId: options.tenant }),
        onProgress: (done, total) => bar.update(Number(done), Number(total)),
      });
      bar.finish();
      if (options.tenant !== undefined && report.chains === 0) {
        throw new StartUpError(
          `There is no tenant ${options.tenant}: the audit log has no records of it. Check its name.`,
        );
      }
      for (const { tenantId, userId, seq, kind } of report.faults) {
        process.stdout.write(`fault: tenant=${tenantId} user=${userId || '-'} seq=${seq} ${kind}\n`);
      }
      process.stdout.write(
        `Verify complete: chains=${report.chains} records=${report.records} faults=${report.faults.length}\n`,
      );
      if (report.faults.length > 0) process.exitCode = 1;
    } finally {
      await database.close();
    }
  });
  const audit = new Command('audit')
    .description('Verify the audit log, and rebuild documents from it.')
    .addCommand(verify)
    .addCommand(auditRebuildCommand(environment));
  return withExamples(audit, 'memhall audit verify', 'memhall audit rebuild --tenant acme');
}
