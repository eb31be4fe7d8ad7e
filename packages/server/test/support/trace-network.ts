import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls that reach another machine: connections, and datagrams such as name lookups. */
const calls = 'connect,sendto,sendmsg,sendmmsg';

/** Records what a process and its children send, whatever language the code is written in. Needs strace. */
export interface NetworkTrace {
  /** Put before a command to trace it. The process keeps the id it would have without tracing. */
  wrapper: readonly string[];
  /** A home directory of its own for the process. */
  environment: { HOME: string };
  /** Addresses that were contacted, as `host:port`. */
  contacted(): string[];
  /** Files in the home directory. */
  leftAtHome(): string[];
  remove(): void;
}

export function traceNetwork(): NetworkTrace {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-trace-'));
  const home = mkdtempSync(join(directory, 'home-'));
  const log = join(directory, 'calls');
  return {
    wrapper: ['strace', '-D', '-f', '-q', '--seccomp-bpf', '-e', `trace=${calls}`, '-e', 'signal=none', '-o', log],
    environment: { HOME: home },
    contacted: () => [...new Set(readFileSync(log, 'utf8').split('\n').flatMap(addressOf))],
    leftAtHome: () => readdirSync(home, { recursive: true }).map(String),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

/** Reads a line such as `71 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16) = 0`. */
function addressOf(line: string): string[] {
  const [, port] = /sin6?_port=htons\((\d+)\)/.exec(line) ?? [];
  const [, host] = /inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/.exec(line) ?? [];
  return port === undefined ? [] : [`${host}:${port}`];
}
