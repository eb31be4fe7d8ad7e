import { Command } from 'commander';
import { version } from '../composition/version.js';
import { auditCommand } from './audit-command.js';
import { backfillCommand } from './backfill-command.js';
import type { Environment } from './config-options.js';
import { conformanceCommand } from './conformance-command.js';
import { doctorCommand } from './doctor-command.js';
import { exportCommand } from './export-command.js';
import { importCommand } from './import-command.js';
import { jobsCommand } from './jobs-command.js';
import { keysCommand } from './keys-command.js';
import { mcpCommand } from './mcp-command.js';
import { migrateCommand } from './migrate-command.js';
import { quarantineCommand } from './quarantine-command.js';
import { reindexCommand } from './reindex-command.js';
import { serveCommand } from './serve-command.js';
import { tenantCommand } from './tenant-command.js';
import { tokenCommand } from './token-command.js';
import { unresolvedCommand } from './unresolved-command.js';
import { workerCommand } from './worker-command.js';

/** Every command, without running one: the reference is made from this too. */
export function buildProgram(environment: Environment): Command {
  return new Command('memhall')
    .description('Memory for AI agents: one engine, many surfaces, on embedded or real PostgreSQL.')
    .version(version)
    .showHelpAfterError('(add --help for what it takes)')
    .addCommand(serveCommand(environment))
    .addCommand(workerCommand(environment))
    .addCommand(mcpCommand(environment))
    .addCommand(tokenCommand(environment))
    .addCommand(migrateCommand(environment))
    .addCommand(backfillCommand(environment))
    .addCommand(doctorCommand(environment))
    .addCommand(auditCommand(environment))
    .addCommand(exportCommand(environment))
    .addCommand(importCommand(environment))
    .addCommand(jobsCommand(environment))
    .addCommand(reindexCommand(environment))
    .addCommand(unresolvedCommand(environment))
    .addCommand(quarantineCommand(environment))
    .addCommand(keysCommand(environment))
    .addCommand(tenantCommand(environment))
    .addCommand(conformanceCommand(environment));
}
