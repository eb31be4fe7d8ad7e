import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type SignedHead, StartUpError } from '@memhall/core';

const members = ['tenant', 'log', 'root', 'at', 'key', 'signature'] as const;

/** Reads signed heads, one JSON object per line, from a file or from all files of a directory and its subdirectories. */
export async function readHeads(path: string): Promise<SignedHead[]> {
  const files = await filesOf(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartUpError(`The heads in ${path} cannot be read (${error.code}). Check the path.`, { cause: error });
  });
  const heads: SignedHead[] = [];
  for (const file of files) {
    for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
      if (line.trim() !== '') heads.push(toHead(line, `${file}:${index + 1}`));
    }
  }
  if (heads.length === 0) throw new StartUpError(`There are no signed heads in ${path}. Check the path.`);
  return heads;
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}

function toHead(line: string, place: string): SignedHead {
  try {
    const head = JSON.parse(line) as SignedHead;
    if (Number.isSafeInteger(head.size) && members.every((name) => typeof head[name] === 'string')) return head;
  } catch {
    // Reported below, like any other text that is not a head.
  }
  throw new StartUpError(`${place} is not a signed head. Heads are lines as \`memhall audit heads\` prints them.`);
}
