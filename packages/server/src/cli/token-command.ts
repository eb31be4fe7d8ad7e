import { isId, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { tokenSecret } from '../composition/token-verifier.js';
import { roles } from '../engine/caller.js';
import { addConfigOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { parseClaim } from './parse-claim.js';
import { addJsonOption, printResult } from './report.js';
import { signToken } from './sign-token.js';
import { listRevocationsCommand, restoreCommand, revokeCommand } from './token-revocation-commands.js';

const secondsIn: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

interface TokenOptions {
  tenant?: string;
  user?: string;
  service?: string;
  role: string[];
  claim: string[];
  ttl: string;
  json?: true;
}

export function tokenCommand(environment: Environment): Command {
  const command = new Command('token')
    .description(
      'Print a signed access token (HS256) for a server that uses the same data directory or the same MEMHALL_JWT_SECRET. The subcommands revoke tokens.',
    )
    .enablePositionalOptions()
    .option('--tenant <id>', 'Tenant of the token. (required)')
    .option('--user <id>', 'User that the token acts for. (required)')
    .option('--service <id>', 'Calling service, recorded in audit records.')
    .addOption(repeatable('--role <role>', `Role: ${roles.join(', ')}. Can be repeated.`))
    .addOption(
      repeatable(
        '--claim <name=value>',
        'Further claim. true, false, [lists] and {objects} are parsed as JSON; any other value is a string. Can be repeated.',
      ),
    )
    .option('--ttl <duration>', 'How long the token is valid: 90s, 15m, 1h, 30d.', '1h');
  addJsonOption(command, 'Print the token as JSON.');
  addConfigOptions(command, ['dataDirectory']);
  withExamples(
    command,
    'memhall token --tenant default --user me',
    'memhall token --tenant acme --user alice --service crm --role service --ttl 15m',
    'memhall token --tenant acme --user bob --claim team_id=blue --claim org_root=true',
  );
  for (const subcommand of [revokeCommand, listRevocationsCommand, restoreCommand]) {
    command.addCommand(subcommand(environment));
  }
  return command.action(async (options: TokenOptions) => {
    const secret = await tokenSecret(configFrom(options, environment));
    if (secret === undefined) {
      throw new StartUpError(
        'Tokens are issued by the identity provider at MEMHALL_JWKS_URL. Set MEMHALL_JWT_SECRET to sign tokens yourself.',
      );
    }
    const token = await signToken(secret, {
      tenant: checkId('--tenant', required(command, '--tenant', options.tenant)),
      user: checkId('--user', required(command, '--user', options.user)),
      service: options.service === undefined ? undefined : checkId('--service', options.service),
      roles: options.role.map(checkRole),
      claims: Object.fromEntries(options.claim.map(parseClaim)),
      ttlSeconds: parseTtl(options.ttl),
    });
    printResult(options.json, { token }, token);
  });
}

/** Commander would require a mandatory option for subcommands, too. */
function required(command: Command, flag: string, value: string | undefined): string {
  return value ?? command.error(`error: required option '${flag} <id>' not specified`);
}

function checkId(flag: string, value: string): string {
  if (!isId(value))
    throw new StartUpError(`${flag} must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${value}".`);
  return value;
}

function checkRole(role: string): string {
  if (!roles.some((known) => known === role))
    throw new StartUpError(`--role must be one of ${roles.join(', ')}, not "${role}".`);
  return role;
}

function parseTtl(ttl: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(ttl);
  const seconds = Number(match?.[1]) * (secondsIn[match?.[2] ?? ''] ?? 0);
  if (!(seconds > 0)) throw new StartUpError(`--ttl must be a number with s, m, h or d, such as 15m, not "${ttl}".`);
  return seconds;
}
