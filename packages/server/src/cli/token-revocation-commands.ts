import { isId, Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { decodeJwt } from 'jose';
import { openDatabase, openStore } from '../composition/open-database.js';
import { tokenMaxLifetimeMs } from '../composition/token-verifier.js';
import { systemCaller } from '../engine/caller.js';
import { listRevocations, type RevokedWhat, revokeTokens, undoRevocation } from '../engine/tokens/revoke-tokens.js';
import { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { createLogger, logFaults } from '../http/logging.js';
import { systemClock } from '../ports/clock.js';
import { toTokenRevocation } from '../surfaces/admin/to-token-revocation.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { toRevocationTable } from './operator-tables.js';
import { printAll } from './print-listed.js';
import { addJsonOption, printResult } from './report.js';

interface RevokeOptions {
  tenant?: string;
  id?: string;
  token?: string;
  user?: string;
  everyone?: boolean;
  before?: string;
  json?: true;
}

export function revokeCommand(environment: Environment): Command {
  const command = new Command('revoke')
    .description(
      'Revoke tokens before they expire. Running servers reject them within five seconds. Prints the revocation. Works while a server is running.',
    )
    .option('--tenant <id>', 'Tenant of the tokens. Required unless --token is given.')
    .option('--token <jwt>', 'Revoke this token.')
    .option('--id <jti>', 'Revoke the token with this id (the claim jti).')
    .option('--user <id>', 'Revoke the tokens of this user.')
    .option('--everyone', 'Revoke the tokens of everybody in the tenant.')
    .option('--before <time>', 'With --user or --everyone: revoke only tokens issued before this time. (default: now)');
  addStoreOptions(addJsonOption(command, 'Print one line of JSON, as in the HTTP API.'));
  withExamples(
    command,
    'memhall token revoke --tenant acme --user alice',
    'memhall token revoke --token eyJhbGciOi…',
    'memhall token revoke --tenant acme --everyone --before 2026-11-18T09:00:00Z',
  );
  return command.action((options: RevokeOptions) => {
    const { tenant, what } = toRequest(options);
    return withRevocations(environment, options, async (engine) => {
      const revocation = await revokeTokens(engine, systemCaller(tenant, '', 'tokenRevocations.create'), what);
      const { id } = revocation;
      const undoing = `Undo it with: memhall token restore ${id} --tenant ${tenant}`;
      printResult(options.json, toTokenRevocation(revocation), `Revoked: ${id}\n${undoing}`);
    });
  });
}

export function listRevocationsCommand(environment: Environment): Command {
  const command = new Command('list')
    .description('List the revocations that are in force, oldest first.')
    .requiredOption('--tenant <id>', 'Tenant of the tokens. (required)');
  addJsonOption(command, 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(command);
  withExamples(command, 'memhall token list --tenant acme');
  return command.action((options: { tenant: string; json?: true }) =>
    withRevocations(environment, options, (engine) =>
      printAll(environment, options, {
        read: (page) => listRevocations(engine, options.tenant, page),
        toWire: toTokenRevocation,
        toText: toRevocationTable,
        nothing: 'No tokens are revoked. Revoke one with `memhall token revoke`.\n',
      }),
    ),
  );
}

export function restoreCommand(environment: Environment): Command {
  const command = new Command('restore')
    .description('Undo a revocation: its tokens are valid again until they expire.')
    .argument('<id>', 'Id of the revocation, as listed by `memhall token list`.')
    .requiredOption('--tenant <id>', 'Tenant of the tokens. (required)');
  addStoreOptions(addJsonOption(command));
  withExamples(command, 'memhall token restore rev_01JD… --tenant acme');
  return command.action((id: string, options: { tenant: string; json?: true }) =>
    withRevocations(environment, options, async (engine) => {
      await undoRevocation(engine, systemCaller(options.tenant, '', 'tokenRevocations.delete'), id);
      printResult(options.json, { id, status: 'undone' }, `Undone: ${id}`);
    }),
  );
}

async function withRevocations(
  environment: Environment,
  options: object,
  work: (engine: Parameters<typeof revokeTokens>[0]) => Promise<void>,
): Promise<void> {
  const config = configFrom(options, environment);
  const logger = createLogger(config.logLevel, config.logFormat);
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    const store = openStore(database);
    const revokedTokens = new RevokedTokens({ store, clock: systemClock, onFault: logFaults(logger) });
    await work({ store, clock: systemClock, revokedTokens, tokenMaxLifetimeMs: tokenMaxLifetimeMs(config) });
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new StartUpError(error.message, { cause: error }) : error;
  } finally {
    await database.close();
  }
}

function toRequest(options: RevokeOptions): { tenant: string; what: RevokedWhat } {
  const { token, id, user, everyone, before } = options;
  if ([token, id, user, everyone].filter((given) => given !== undefined).length !== 1) {
    throw new StartUpError('Give one of --token, --id, --user and --everyone.');
  }
  if (before !== undefined && user === undefined && everyone === undefined) {
    throw new StartUpError('--before is for --user and --everyone only.');
  }
  if (token !== undefined) return fromToken(token, options.tenant);
  const tenant = checkTenant(options.tenant);
  if (id !== undefined) return { tenant, what: { tokenId: id } };
  return { tenant, what: { userId: user ?? null, issuedBefore: parseTime(before) } };
}

/** The token need not be valid: who can use this command may revoke any. */
function fromToken(token: string, expectedTenant: string | undefined): { tenant: string; what: RevokedWhat } {
  const { tenant_id: named, jti, exp } = decode(token);
  const tenant = checkTenant(expectedTenant ?? (typeof named === 'string' ? named : undefined));
  if (typeof jti !== 'string') {
    throw new StartUpError('The token has no id (the claim jti). Revoke the tokens of its user with --user.');
  }
  return { tenant, what: { tokenId: jti, expiresAt: exp === undefined ? undefined : new Date(exp * 1000) } };
}

function decode(token: string) {
  try {
    return decodeJwt(token);
  } catch {
    throw new StartUpError('--token is not a JWT.');
  }
}

function checkTenant(tenant: string | undefined): string {
  if (tenant === undefined) throw new StartUpError('--tenant is required.');
  if (isId(tenant)) return tenant;
  throw new StartUpError(`--tenant must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${tenant}".`);
}

function parseTime(time: string | undefined): Date | undefined {
  if (time === undefined) return undefined;
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime()))
    throw new StartUpError(`--before must be a time such as 2026-11-18T09:00:00Z, not "${time}".`);
  return moment;
}
