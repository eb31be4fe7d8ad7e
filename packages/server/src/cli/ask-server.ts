import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenSecret } from '../composition/token-verifier.js';
import type { Config } from '../config/settings.js';
import { signToken } from './sign-token.js';

const timeoutMs = 5000;

/** What `/health` says; all but the first only to operators. */
export interface ServerHealth {
  status: 'ok' | 'degraded';
  version?: string;
  database?: { kind: string; server_version: string; schema_version: number; size_bytes: number };
  embedder?: { status: string; model: string; runtime: string; note?: string } | null;
  indexing?: { waiting: number; lag_seconds: number };
  jobs?: { name: string; waiting: number; backlog_seconds: number; dead_letters: number }[];
}

export interface ServerState {
  url: string;
  reachable: boolean;
  /** Why it could not be reached. */
  problem?: string;
  health?: ServerHealth;
}

/** Returns the address at which the server of this configuration is reached from this machine. */
export function addressOf({ host, port }: Config): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reached}:${port}`;
}

/** Returns the given token, else one of an operator if the secret for it is here, else undefined. Creates no secret. */
export async function operatorToken(config: Config, given: string | undefined): Promise<string | undefined> {
  if (given !== undefined && given !== '') return given;
  if (config.jwtSecret === undefined && !existsSync(join(config.dataDirectory, 'jwt-secret'))) return undefined;
  const secret = await tokenSecret(config);
  return (
    secret && signToken(secret, { tenant: 'default', user: 'memhall-status', roles: ['operator'], ttlSeconds: 60 })
  );
}

/** Asks a server how it is. A token that it rejects is left out. */
export async function askServer(url: string, token: string | undefined): Promise<ServerState> {
  try {
    const target = new URL('health', url.endsWith('/') ? url : `${url}/`);
    const response = await get(target, token);
    const answer = response.status === 401 ? await get(target, undefined) : response;
    const health = (await answer.json()) as ServerHealth;
    if (health.status === 'ok' || health.status === 'degraded') return { url, reachable: true, health };
    return { url, reachable: false, problem: 'something else answers there' };
  } catch (error) {
    return { url, reachable: false, problem: reasonOf(error) };
  }
}

function get(target: URL, token: string | undefined): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(target, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'something else answers there';
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} seconds`;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : (code ?? 'no connection');
}

/** Returns the free space where a directory is; undefined if it does not exist. */
export async function freeBytesAt(directory: string): Promise<number | undefined> {
  const found = await statfs(directory).catch(() => undefined);
  return found && found.bavail * found.bsize;
}
