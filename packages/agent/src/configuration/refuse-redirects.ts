import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { StartUpError } from '@memhall/core';

/**
 * A configuration file may have come with somebody else's repository. It may choose a memory on this machine, within its own
 * directory. Anything that sends memory elsewhere has to be confirmed by the person who runs the agent.
 */
export interface FileTrust {
  /**
   * Hosts that a file may send memory to, as in URLs: `memory.example`, or `memory.example:8443` for one port. This machine is
   * always allowed.
   */
  allowedHosts?: readonly string[] | undefined;
  /** Allows directories outside the one that contains `.beaver`. Default: false. */
  allowOutsideDirectories?: boolean | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Throws a StartUpError that lists every setting that leads memory elsewhere. Settings of the wrong type are ignored here. */
export function refuseRedirects(section: unknown, directory: string, trust: FileTrust = {}): void {
  const { mode, provider, server, gateway, sessions, local, http, plugin } = toMembers(section);
  const faults: string[] = [];
  const checkUrl = (name: string, url: unknown) => {
    const host = foreignHost(url, trust.allowedHosts ?? []);
    if (host === undefined) return;
    faults.push(
      `${name} leads to the host ${host}, which the program has to allow (allowedHosts), since the file may be somebody else's`,
    );
  };
  const checkPath = (name: string, path: unknown) => {
    if (typeof path !== 'string' || trust.allowOutsideDirectories === true || isWithin(directory, path)) return;
    faults.push(`${name} must be a directory within the one that contains .beaver, or be configured in code`);
  };
  if (mode === 'memory_gateway' || mode === 'hybrid') checkUrl('memory.gateway.baseUrl', toMembers(gateway).baseUrl);
  if (mode === 'one_memory' || mode === undefined || toMembers(sessions).store === 'server') {
    checkUrl('memory.server.url', toMembers(server).url);
  }
  if (toMembers(sessions).store === 'server') checkUrl('memory.sessions.url', toMembers(sessions).url);
  if (provider === 'http') checkUrl('memory.http.url', toMembers(http).url);
  if (provider === 'plugin') checkUrl('memory.plugin.url', toMembers(plugin).url);
  if (provider === 'local') {
    checkPath('memory.local.root', toMembers(local).root);
    checkPath('memory.local.crewRoot', toMembers(local).crewRoot);
  }
  if (faults.length > 0) throw new StartUpError(`Configuration: ${faults.join('; ')}.`);
}

function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** Returns the host of a URL that is neither this machine nor allowed. */
function foreignHost(url: unknown, allowed: readonly string[]): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, host, hostname } = new URL(url);
  if (protocol === 'unix:' || isThisMachine(hostname)) return undefined;
  const names = allowed.map((name) => name.toLowerCase());
  return names.includes(host) || names.includes(hostname) ? undefined : host;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Links that exist are followed: a repository may contain links. */
function isWithin(directory: string, path: string): boolean {
  const inside = relative(realpath(resolve(directory)), realpath(resolve(directory, path)));
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realpath(parent), relative(parent, path));
  }
}
