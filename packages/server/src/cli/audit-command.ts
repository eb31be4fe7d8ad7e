import { Command } from 'commander';
import { openAuditKey } from '../composition/audit-key.js';
import { auditHeadsCommand } from './audit-heads-command.js';
import { auditProveCommand } from './audit-prove-command.js';
import { auditRebuildCommand } from './audit-rebuild-command.js';
import { auditVerifyCommand } from './audit-verify-command.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

export function auditCommand(environment: Environment): Command {
  const key = new Command('key').description(
    'Print the public key that verifies the signatures of the audit log. Give it to those who verify them.',
  );
  addStoreOptions(addJsonOption(key, 'Print the key as JSON.'));
  withExamples(key, 'memhall audit key');
  key.action(async (options: { json?: true }) => {
    const { publicKey } = await openAuditKey(configFrom(options, environment));
    printResult(options.json, { public_key: publicKey }, publicKey);
  });
  const audit = new Command('audit')
    .description('Verify, sign and prove the audit log, and rebuild documents from it.')
    .addCommand(auditVerifyCommand(environment))
    .addCommand(auditHeadsCommand(environment))
    .addCommand(auditProveCommand(environment))
    .addCommand(key)
    .addCommand(auditRebuildCommand(environment));
  return withExamples(
    audit,
    'memhall audit verify',
    'memhall audit heads --sign-now --output heads.jsonl',
    'memhall audit rebuild --tenant acme',
  );
}
