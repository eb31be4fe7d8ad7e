import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** The repository that somebody works in. */
export interface Project {
  /** `github.com/acme/web`: host and path of its remote, without user names; `local/<folder>-…` if it has none. */
  name: string;
  /** Where what is said in it is kept, such as `project:github.com:acme:web`. */
  namespace: string;
}

const mostLevels = 40;
const longestName = 200;

/** Returns the project of a directory; undefined if it is not in a git repository. Reads the configuration of that repository and nothing else. */
export function projectOf(directory: string): Project | undefined {
  const found = findRepository(resolve(directory));
  if (found === undefined) return undefined;
  const name = nameOfRemote(readText(join(found.gitDirectory, 'config'))) ?? localName(found.root);
  return { name, namespace: namespaceOf(name) };
}

/** Returns the branch that is checked out. */
export function branchOf(directory: string): string | undefined {
  const found = findRepository(resolve(directory));
  const head = found && readText(join(found.headDirectory, 'HEAD'));
  return /^ref: refs\/heads\/(\S{1,200})\s*$/.exec(head ?? '')?.[1];
}

/** Returns host and path of the address of a remote, in one form for all ways of writing it; undefined for a path on this machine. */
export function nameOfAddress(address: string): string | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(\S+)$/.exec(address);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isNetwork = url !== undefined && /^(?:https?|ssh|git|git\+ssh):$/.test(url.protocol);
  const [host, path] = isNetwork ? [url.hostname, url.pathname] : scp === null ? [] : [scp[1], scp[2]];
  if (host === undefined || path === undefined || /^[A-Za-z]$/.test(host)) return undefined;
  const trimmed = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return trimmed === '' ? undefined : `${host.toLowerCase()}/${trimmed}`.slice(0, longestName);
}

interface Repository {
  root: string;
  /** Has the configuration. */
  gitDirectory: string;
  /** Has what is checked out here; another one in a worktree. */
  headDirectory: string;
}

function findRepository(directory: string): Repository | undefined {
  let root = directory;
  for (let level = 0; level < mostLevels; level++) {
    const git = join(root, '.git');
    if (existsSync(git)) return statSync(git).isDirectory() ? whole(root, git) : linked(root, git);
    if (dirname(root) === root) return undefined;
    root = dirname(root);
  }
  return undefined;
}

function whole(root: string, git: string): Repository {
  return { root, gitDirectory: git, headDirectory: git };
}

/** In a worktree and in a submodule, `.git` is a file that names the directory. */
function linked(root: string, file: string): Repository | undefined {
  const [, target] = /^gitdir: (.+)$/m.exec(readText(file) ?? '') ?? [];
  if (target === undefined) return undefined;
  const own = isAbsolute(target) ? target : resolve(root, target);
  const common = readText(join(own, 'commondir'))?.trim();
  return { root, gitDirectory: common === undefined ? own : resolve(own, common), headDirectory: own };
}

/** The remote `origin`, else the first one. */
function nameOfRemote(config: string | undefined): string | undefined {
  const names = new Map<string, string>();
  let remote: string | undefined;
  for (const line of (config ?? '').split('\n')) {
    const header = /^\s*\[(.*)\]\s*$/.exec(line);
    if (header !== null) remote = /^remote "(.+)"$/.exec(header[1] ?? '')?.[1];
    const [, address] = /^\s*url\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    const name = remote === undefined || address === undefined ? undefined : nameOfAddress(address);
    if (remote !== undefined && name !== undefined && !names.has(remote)) names.set(remote, name);
  }
  return names.get('origin') ?? [...names.values()][0];
}

function localName(root: string): string {
  return `local/${basename(root)}-${digestOf(root)}`;
}

/** Names of namespaces have no slashes. What is lost is made up for by a digest. */
function namespaceOf(name: string): string {
  const plain = name.replaceAll('/', ':').replace(/[^A-Za-z0-9_:.-]/g, '-');
  const isLossless = plain === name.replaceAll('/', ':');
  return `project:${isLossless ? plain : `${plain}-${digestOf(name)}`}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
