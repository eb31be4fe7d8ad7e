import { performance } from 'node:perf_hooks';
import { isId, StartUpError, uuidv7 } from '@memhall/core';
import type { Command } from 'commander';
import { isNamespaceName } from '../engine/namespace-names.js';
import { type Member, toMember } from '../engine/one-memory/member.js';
import { repeatable } from './config-options.js';

/** Whose memory a command reads and writes, and what they share with others. */
export interface OwnerOptions {
  tenant: string;
  user: string;
  workspace?: string;
  team: string[];
  org?: string;
  namespace?: string[] | string;
}

export function addOwnerOptions(command: Command): Command {
  return command
    .option('--tenant <id>', 'Tenant of the user.', 'default')
    .option('--user <id>', 'User whose memory it is.', 'me')
    .option('--workspace <id>', 'Workspace of the user. (default: the one named after the user)')
    .addOption(repeatable('--team <id>', 'Team of the user: its namespace is included. Can be repeated.'))
    .option('--org <id>', 'Organization of the user: its namespace is included.');
}

/** There is no token: a process that can open the store can act as any user in it, and write to every namespace it names. */
export function memberOf(options: OwnerOptions, operation: `cli.${string}`): Member {
  const { tenant, user, workspace, team, org } = options;
  const namespaces = [options.namespace ?? []].flat();
  for (const [flag, ids] of Object.entries({ tenant, user, workspace, team, org })) checkIds(flag, ids);
  const unfit = namespaces.find((name) => !isNamespaceName(name));
  if (unfit !== undefined) {
    throw new StartUpError(`--namespace must be the name of a namespace, such as team:blue, not "${unfit}".`);
  }
  const actor = { userId: user, serviceId: null, roles: [] };
  const caller = { tenantId: tenant, userId: user, actor, operation, requestId: uuidv7(), since: performance.now() };
  const member = toMember(caller, {
    workspaceId: workspace ?? null,
    teamIds: team,
    orgId: org ?? null,
    agentId: null,
    crewId: null,
    namespaces,
    isOrgRoot: true,
  });
  return { ...member, grants: member.grants.map((grant) => ({ ...grant, isWritable: true })) };
}

function checkIds(flag: string, ids: string | readonly string[] | undefined): void {
  const unfit = [ids ?? []].flat().find((id) => !isId(id));
  if (unfit === undefined) return;
  throw new StartUpError(`--${flag} must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${unfit}".`);
}
