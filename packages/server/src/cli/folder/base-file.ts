import { readFile } from 'node:fs/promises';
import { StartUpError } from '@memhall/core';
import { type LocalFolder, stateFile } from './local-folder.js';

/** The state of a file that both sides had last. */
interface BaseFile {
  etag: string;
  text: string;
}

/** Whose files a folder is a copy of, and what they were when they last agreed. */
export interface FolderBase {
  tenant: string;
  user: string;
  /** `user`, or `agent:` and the id of the agent. */
  root: string;
  files: Map<string, BaseFile>;
}

/** Reads what a folder is a copy of; nothing yet if it is new. Throws StartUpError if it is a copy of other files. */
export async function readBase(folder: LocalFolder, owner: Omit<FolderBase, 'files'>): Promise<FolderBase> {
  let text: string;
  try {
    text = await readFile(folder.pathOf(stateFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ...owner, files: new Map() };
    throw error;
  }
  const { tenant, user, root, files } = parse(text, folder.path);
  if (tenant !== owner.tenant || user !== owner.user || root !== owner.root) {
    throw new StartUpError(
      `${folder.path} is a copy of the files of ${user} (${root}) in the tenant ${tenant}. Choose another directory, or these owners.`,
    );
  }
  return { ...owner, files: new Map(Object.entries(files)) };
}

export function writeBase(folder: LocalFolder, { files, ...owner }: FolderBase): Promise<void> {
  return folder.writeState(`${JSON.stringify({ ...owner, files: Object.fromEntries(files) }, null, 1)}\n`);
}

function parse(text: string, path: string): Omit<FolderBase, 'files'> & { files: Record<string, BaseFile> } {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartUpError(`${path}/${stateFile} is damaged. Delete it, and pull into an empty directory.`);
  }
}
